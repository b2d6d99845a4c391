// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// mesh starts n participants, each with a writer and a reader of one topic, and returns when all of them match all.
func mesh(t *testing.T, n int) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		net := vnet.New(vnet.Config{Seed: 3})
		var all []*rtps.Participant
		var writers []*rtps.Writer
		for i := range n {
			p := start(t, net.Host(byte(1+i/4)))
			all = append(all, p)
			writers = append(writers, writer(t, p, reliable, transientLocal))
			reader(t, p, reliable, transientLocal)
		}
		eventually(t, time.Minute, "all match all", func() bool {
			time.Sleep(100 * time.Millisecond)
			return !slices.ContainsFunc(writers, func(w *rtps.Writer) bool { return w.Matched() != n })
		})
		t.Logf("%d participants match after %v", n, time.Since(began))
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		t.Logf("%d KB each, %d bytes for each one known", m.HeapAlloc/uint64(n)/1024, m.HeapAlloc/uint64(n*n))
		for _, p := range all {
			if s := p.Stats(); s.Participants != n-1 || s.Dropped[rtps.DropParticipantLimit] != 0 {
				t.Errorf("%d participants, %d at the limit", s.Participants, s.Dropped[rtps.DropParticipantLimit])
			}
		}
	})
}

// TestManyParticipants: many participants discover each other with the default limits. EPUCK_MESH=300 and -v measure a
// mesh of 300: 90,000 pairs.
func TestManyParticipants(t *testing.T) {
	n := 70
	if value := os.Getenv("EPUCK_MESH"); value != "" {
		var err error
		if n, err = strconv.Atoi(value); err != nil {
			t.Fatal(err)
		}
	}
	mesh(t, n)
}
