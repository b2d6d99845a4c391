// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// sharing gives a participant shared memory.
func sharing(size int) func(*rtps.Config) {
	return func(c *rtps.Config) { c.SharedMemory = size }
}

// sharingPair makes two participants that share memory.
func sharingPair(t *testing.T, cfg vnet.Config, size int) (a, b *rtps.Participant) {
	n := vnet.New(cfg)
	return start(t, n.Host(1), sharing(size)), start(t, n.Host(2), sharing(size))
}

// wantImages checks that the first images are those written.
func wantImages(t *testing.T, in *inbox, count, size int) {
	t.Helper()
	eventually(t, 20*time.Second, fmt.Sprint(count, " images"), func() bool { return len(in.all()) >= count })
	for i, s := range in.all() {
		if !bytes.Equal(s.Payload, number(i, size)) {
			t.Errorf("image %d of %d bytes differs", i, len(s.Payload))
		}
	}
}

// TestLargeSamplesInSharedMemory: images arrive complete and in order in shared memory, at two readers, and fragments
// are sent only for what the network has lost.
func TestLargeSamplesInSharedMemory(t *testing.T) {
	for _, c := range []struct {
		name string
		net  vnet.Config
		opts []option
	}{
		{"best effort", vnet.Config{}, []option{bestEffort, depth(1)}},
		{"reliable", vnet.Config{}, []option{reliable, depth(5)}},
		{"keep all", vnet.Config{}, []option{reliable, keepAll}},
		{"bad network", vnet.Config{Loss: 0.1, Reorder: 0.1, Duplicate: 0.1}, []option{reliable, keepAll}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := sharingPair(t, c.net, 16<<20)
				w := writer(t, a, c.opts...)
				_, first := reader(t, b, c.opts...)
				_, second := reader(t, b, c.opts...)
				eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 2 })
				for i := range 4 {
					write(t, w, number(i, imageSize))
					time.Sleep(200 * time.Millisecond)
				}
				wantImages(t, first, 4, imageSize)
				wantImages(t, second, 4, imageSize)
				sa, sb := a.Stats(), b.Stats()
				if sa.SamplesShared != 4 || sb.SamplesReadShared == 0 {
					t.Errorf("%d samples written to shared memory, %d read", sa.SamplesShared, sb.SamplesReadShared)
				}
				if c.net.Loss == 0 && (sa.BytesSent > 100_000 || sa.FragmentsResent > 0) {
					t.Errorf("%d bytes and %d fragments sent", sa.BytesSent, sa.FragmentsResent)
				}
			})
		})
	}
}

// TestSharedMemoryIsNotOverrun: more samples than the memory holds, written at once, arrive all the same and in order:
// the writer waits for the reader.
func TestSharedMemoryIsNotOverrun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := sharingPair(t, vnet.Config{}, 2<<20)
		w := writer(t, a, reliable, keepAll)
		_, in := reader(t, b, reliable, keepAll)
		eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 })
		const size = 200_000
		for i := range 60 {
			write(t, w, number(i, size))
		}
		wantImages(t, in, 60, size)
		if s := b.Stats(); s.SamplesReadShared < 60 || s.Dropped[rtps.DropShared] > 0 {
			t.Errorf("%d samples read in shared memory, %d overwritten", s.SamplesReadShared, s.Dropped[rtps.DropShared])
		}
	})
}

// TestUnreadableSharedMemoryIsRepaired: a participant that cannot read the memory gets fragments at its request, and
// after a few samples without requesting them.
func TestUnreadableSharedMemoryIsRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := sharingPair(t, vnet.Config{}, 16<<20)
		w := writer(t, a, reliable, depth(5))
		_, in := reader(t, b, reliable, depth(5))
		eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 })
		rtps.CloseViews(b)
		const size = 100_000
		for i := range 30 {
			write(t, w, number(i, size))
			time.Sleep(500 * time.Millisecond)
		}
		wantImages(t, in, 30, size)
	})
}

// TestWhoDoesNotShareGetsFragments: a participant without shared memory, a sample larger than it, and a late
// transient-local reader.
func TestWhoDoesNotShareGetsFragments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a, without, with := start(t, n.Host(1), sharing(1<<20)), start(t, n.Host(2)), start(t, n.Host(3), sharing(1<<20))
		w := writer(t, a, reliable, transientLocal, depth(2))
		_, network := reader(t, without, reliable, transientLocal)
		_, memory := reader(t, with, reliable, transientLocal)
		eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 2 })
		write(t, w, number(0, 500_000))
		wantImages(t, network, 1, 500_000)
		wantImages(t, memory, 1, 500_000)
		if s := without.Stats(); s.SamplesReadShared != 0 {
			t.Errorf("%d samples read in shared memory without having any", s.SamplesReadShared)
		}
		write(t, w, number(1, 2<<20))
		eventually(t, 10*time.Second, "the sample larger than the memory", func() bool { return len(memory.all()) == 2 && len(network.all()) == 2 })
		if s := with.Stats(); s.SamplesReadShared != 1 {
			t.Errorf("%d samples read in shared memory", s.SamplesReadShared)
		}
		_, late := reader(t, with, reliable, transientLocal)
		eventually(t, 10*time.Second, "both at a late reader", func() bool { return len(late.all()) == 2 })
	})
}

// TestSharedMemoryIsRemoved: a participant that leaves removes its memory.
func TestSharedMemoryIsRemoved(t *testing.T) {
	n := vnet.New(vnet.Config{})
	p := start(t, n.Host(1), sharing(1<<20))
	prefix := p.GUID().Prefix
	path := filepath.Join("/dev/shm", fmt.Sprintf("epuck-rtps-%x", prefix[:]))
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("after Close: %v", err)
	}
}
