// SPDX-License-Identifier: Apache-2.0

//go:build linux

package rtps_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// sharedFile returns the name of the file of a participant's shared memory.
func sharedFile(p *rtps.Participant) string {
	prefix := p.GUID().Prefix
	return filepath.Join("/dev/shm", fmt.Sprintf("epuck-rtps-%x", prefix[:]))
}

// logBook keeps the lines of a log.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBook) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

func (l *logBook) into(c *rtps.Config) { c.Logger = slog.New(slog.NewTextHandler(l, nil)) }

// TestReaderThatCannotOpenTheFileGetsFragments: the file of a writer was removed (by RemoveIPC of systemd, for one)
// before a reader came: it says so to the writer, and both log it. From then on everything comes over the network, with
// no sample lost, late or requested again, to reliable and best-effort readers.
func TestReaderThatCannotOpenTheFileGetsFragments(t *testing.T) {
	const images, period, size = 20, 50 * time.Millisecond, 100_000
	for _, opt := range []option{reliable, bestEffort} {
		synctest.Test(t, func(t *testing.T) {
			n := vnet.New(vnet.Config{})
			var writers, readers logBook
			a := start(t, n.Host(1), sharing(16<<20), writers.into)
			if err := os.Remove(sharedFile(a)); err != nil {
				t.Fatal(err)
			}
			b := start(t, n.Host(2), sharing(16<<20), readers.into)
			w := writer(t, a, opt, depth(5))
			_, in := reader(t, b, opt, depth(5))
			eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 })
			time.Sleep(time.Second)
			for i := range images {
				write(t, w, number(i, size))
				time.Sleep(period)
			}
			if got := len(in.all()); got != images {
				t.Errorf("%d of %d images arrived", got, images)
			}
			wantImages(t, in, images, size)
			if s := b.Stats(); s.SamplesReadShared != 0 || s.Dropped[rtps.DropShared] != 0 {
				t.Errorf("%d samples read in shared memory, %d not found there", s.SamplesReadShared, s.Dropped[rtps.DropShared])
			}
			if writers.count("cannot read this one's shared memory") != 1 || readers.count("shared memory of a participant cannot be read") != 1 {
				t.Error("the logs do not say so once")
			}
		})
	}
}

// TestRepairedSamplesDoNotHideUnreadableMemory: a participant that loses the other's memory without being able to say
// so requests every sample again: after a few it is sent fragments.
func TestRepairedSamplesDoNotHideUnreadableMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := sharingPair(t, vnet.Config{}, 16<<20)
		w := writer(t, a, reliable, depth(5))
		_, in := reader(t, b, reliable, depth(5))
		eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 })
		rtps.CloseViews(b)
		for i := range 60 {
			write(t, w, number(i, 100_000))
			time.Sleep(50 * time.Millisecond)
		}
		wantImages(t, in, 60, 100_000)
		if s := b.Stats(); s.Dropped[rtps.DropShared] > 8 {
			t.Errorf("%d references that led to nothing", s.Dropped[rtps.DropShared])
		}
	})
}

// TestTruncatedSharedMemoryEndsNoProgram: another program truncates the file of a writer's or of a reader's memory:
// neither of them ends; what was in it is lost, later samples arrive over the network, and the log says so.
func TestTruncatedSharedMemoryEndsNoProgram(t *testing.T) {
	for _, whose := range []string{"writer", "reader", "both"} {
		for _, length := range []int64{0, 256, 70_000} {
			t.Run(fmt.Sprintf("%s to %d bytes", whose, length), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { truncateShared(t, whose, length) })
			})
		}
	}
}

func truncateShared(t *testing.T, whose string, length int64) {
	n := vnet.New(vnet.Config{})
	var book logBook
	a, b := start(t, n.Host(1), sharing(2<<20), book.into), start(t, n.Host(2), sharing(2<<20))
	w := writer(t, a, reliable, keepAll)
	_, in := reader(t, b, reliable, keepAll)
	eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 })
	send := func(i int) {
		if lent := w.Lend(200_000); lent != nil && i%2 == 0 {
			if err := w.WriteLent(lent, append(lent, number(i, 200_000)...)); err != nil {
				t.Error(err)
			}
		} else {
			if lent != nil {
				_ = w.WriteLent(lent, nil) // returns it
			}
			write(t, w, number(i, 200_000))
		}
		time.Sleep(50 * time.Millisecond)
	}
	for i := range 10 {
		send(i)
	}
	wantImages(t, in, 10, 200_000)
	for name, p := range map[string]*rtps.Participant{"writer": a, "reader": b} {
		if whose == "both" || whose == name {
			if err := os.Truncate(sharedFile(p), length); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 10 {
		send(10 + i)
	}
	wantImages(t, in, 20, 200_000)
	if whose != "reader" && book.count("truncated by another program") != 1 {
		t.Error("the log does not say so once")
	}
}

// TestSampleThatIsTruncatedBeforeItIsSentIsNeverWrong: a sample in lent memory that is truncated before a late reader
// has it does not arrive, and the next one does.
func TestSampleThatIsTruncatedBeforeItIsSentIsNeverWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a, b := start(t, n.Host(1), sharing(2<<20)), start(t, n.Host(2), sharing(2<<20))
		w := writer(t, a, reliable, transientLocal, depth(3))
		reader(t, b, reliable, transientLocal)
		eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 })
		lent := w.Lend(100_000)
		if lent == nil {
			t.Fatal("nothing was lent")
		}
		if err := w.WriteLent(lent, append(lent, number(0, 100_000)...)); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(sharedFile(a), 0); err != nil {
			t.Fatal(err)
		}
		_, late := reader(t, start(t, n.Host(3)), reliable, transientLocal)
		write(t, w, number(1, 100_000))
		eventually(t, 10*time.Second, "the next sample", func() bool { return len(late.all()) > 0 })
		if got := late.all(); len(got) != 1 || !bytes.Equal(got[0].Payload, number(1, 100_000)) {
			t.Errorf("%d samples, the first of %d bytes", len(got), len(got[0].Payload))
		}
	})
}
