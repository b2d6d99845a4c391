// SPDX-License-Identifier: Apache-2.0

package logqueue_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/logqueue"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// terminal is a handler that can be stopped.
type terminal struct {
	stopped chan struct{} // closed when it continues; nil if it was not stopped
	text    strings.Builder
}

func (t *terminal) Write(b []byte) (int, error) {
	if t.stopped != nil {
		<-t.stopped
	}
	return t.text.Write(b)
}

func plain(w *terminal) slog.Handler {
	return slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
}

func TestLinesKeepTheirOrderAndAttributes(t *testing.T) {
	var q logqueue.Queue
	var w terminal
	log := q.Logger(plain(&w)).With("a", 1).WithGroup("g").With("b", 2)
	for i := range 3 {
		log.Info("line", "i", i)
	}
	log.Debug("below the handler's level")
	if !q.Flush(time.Minute) || !q.Flush(0) {
		t.Error("not flushed")
	}
	var want strings.Builder
	for i := range 3 {
		fmt.Fprintf(&want, "level=INFO msg=line a=1 g.b=2 g.i=%d\n", i)
	}
	if got := w.text.String(); got != want.String() {
		t.Errorf("got\n%swant\n%s", got, want.String())
	}
}

// A handler that blocks does not block code that logs; lines that exceed the capacity are counted, and their number is
// logged.
func TestStoppedTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q logqueue.Queue
		w := terminal{stopped: make(chan struct{})}
		log := q.Logger(plain(&w))
		for i := range 1000 {
			log.Info("line", "i", i)
			synctest.Wait()
		}
		if q.Flush(time.Second) {
			t.Error("flushed to a stopped terminal")
		}
		close(w.stopped)
		synctest.Wait()
		log.Info("last")
		synctest.Wait()
		text := w.text.String()
		const want = "msg=\"log lines were dropped: they arrived faster than they were written\" lines=743\nlevel=INFO msg=last\n"
		if n := strings.Count(text, "\n"); n != 1+256+1+1 || !strings.HasSuffix(text, want) {
			t.Errorf("%d lines, the end is %q", n, text[max(0, len(text)-80):])
		}
	})
}

// Concurrent loggers lose no lines within the capacity.
func TestConcurrentLines(t *testing.T) {
	var q logqueue.Queue
	var w terminal
	log := q.Logger(plain(&w))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 30 {
				log.LogAttrs(context.Background(), slog.LevelWarn, "line")
			}
		})
	}
	wg.Wait()
	q.Flush(time.Minute)
	if n := strings.Count(w.text.String(), "\n"); n != 240 {
		t.Errorf("%d lines", n)
	}
}
