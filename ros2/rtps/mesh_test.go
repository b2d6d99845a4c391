// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// mesh starts n participants, each with a writer and a reader of one topic, and calls matched when all of them match
// all.
func mesh(t *testing.T, n int, matched func()) {
	t.Helper()
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
		matched()
		for _, p := range all {
			if s := p.Stats(); s.Participants != n-1 || s.Dropped[rtps.DropParticipantLimit] != 0 {
				t.Errorf("%d participants, %d at the limit", s.Participants, s.Dropped[rtps.DropParticipantLimit])
			}
		}
	})
}

// TestManyParticipants: many participants discover each other with the default limits.
func TestManyParticipants(t *testing.T) {
	n := 70
	if !suite.Long {
		n = 24
	}
	mesh(t, n, func() {})
}
