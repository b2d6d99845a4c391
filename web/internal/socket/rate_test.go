// SPDX-License-Identifier: Apache-2.0

package socket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

func TestPauseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		if err := pause(t.Context(), time.Second); err != nil || time.Since(begin) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		begin = time.Now()
		if err := pause(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

// More than MaxBurst messages at once all arrive: what is too fast waits and is not lost.
func TestMessagesThatComeTooFastWait(t *testing.T) {
	const messages = MaxBurst + 50
	heard := make(chan byte, messages)
	l := connect(t, func(_ context.Context, _ bool, data []byte) error {
		heard <- data[0]
		return nil
	})
	for i := range messages {
		l.must(l.conn.Write(t.Context(), websocket.MessageBinary, []byte{byte(i)}))
	}
	for i := range messages {
		if got := <-heard; got != byte(i) {
			t.Fatalf("message %d is %d", i, got)
		}
	}
}

func TestDisconnectIsNoError(t *testing.T) {
	for _, c := range []struct {
		err  error
		left bool
	}{
		{nil, true}, {io.EOF, true}, {fmt.Errorf("read: %w", io.EOF), true}, {context.Canceled, true},
		{websocket.CloseError{Code: websocket.StatusGoingAway}, true},
		{outbox.ErrFull, false}, {ErrPolicy, false}, {io.ErrUnexpectedEOF, false}, {context.DeadlineExceeded, false},
	} {
		if got := left(c.err); got != c.left {
			t.Errorf("left(%v) = %v", c.err, got)
		}
	}
}

// Pings count like messages: each has an answer to be written.
func TestRateOfWhatIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r rate
		begin := time.Now()
		for range MaxBurst + 2*MaxRate {
			if err := r.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if d := time.Since(begin); d < 1900*time.Millisecond || d > 2100*time.Millisecond {
			t.Errorf("a burst and %d more took %v, want 2 s", 2*MaxRate, d)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.wait(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestPingsCountLikeMessages(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	far := <-l.far
	l.conn.CloseRead(t.Context())
	l.must(l.conn.Ping(t.Context()))
	l.stop()
	<-l.done
	if far.rate.used != 1 {
		t.Errorf("%v pings were counted, want 1", far.rate.used)
	}
}
