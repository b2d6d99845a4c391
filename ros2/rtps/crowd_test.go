// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// knows reports whether p has discovered exactly the others.
func knows(p *rtps.Participant, others ...*rtps.Participant) bool {
	list := p.Participants()
	return len(list) == len(others) && !slices.ContainsFunc(others, func(o *rtps.Participant) bool {
		return !slices.ContainsFunc(list, func(d *wire.ParticipantData) bool { return d.GUID == o.GUID() })
	})
}

// lockedBuffer collects log lines.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestSilentParticipantsAreReplacedFirst: at the limit a new participant replaces the one that has been silent longest;
// no active one is replaced, and the log names the limit to raise.
func TestSilentParticipantsAreReplacedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		var log lockedBuffer
		p := start(t, n.Host(1), func(c *rtps.Config) {
			c.Limits.Participants = 3
			c.Logger = slog.New(slog.NewTextHandler(&log, nil))
		})
		first, second, third := start(t, n.Host(2)), start(t, n.Host(3)), start(t, n.Host(4))
		eventually(t, time.Second, "three", func() bool { return knows(p, first, second, third) })
		fourth := start(t, n.Host(5))
		time.Sleep(20 * time.Second)
		if !knows(p, first, second, third) {
			t.Error("a lively participant lost its place")
		}
		n.Cut(n.Host(3).Addr(), true)
		eventually(t, 15*time.Second, "the newcomer instead of the silent one", func() bool { return knows(p, first, third, fourth) })
		if s := p.Stats(); s.LeasesExpired != 0 || s.Dropped[rtps.DropParticipantLimit] == 0 {
			t.Errorf("%d leases expired, %d refused", s.LeasesExpired, s.Dropped[rtps.DropParticipantLimit])
		}
		if text := log.String(); !strings.Contains(text, "RTPS_MAX_PARTICIPANTS") || !strings.Contains(text, "limit=3") {
			t.Errorf("the log does not name the parameter:\n%s", text)
		}
	})
}

// TestNewParticipantDuringAnnouncementFlood: during endless announcements of forged participants from one address,
// which use a bounded number of entries, a real participant is discovered.
func TestNewParticipantDuringAnnouncementFlood(t *testing.T) {
	underAttack(t, func(a *attacker) {
		stop := time.Now().Add(3 * time.Second)
		var flood sync.WaitGroup
		flood.Go(func() {
			for time.Now().Before(stop) {
				announce(a, a.own, 20)
				time.Sleep(10 * time.Millisecond)
			}
		})
		time.Sleep(time.Second)
		late := start(a.t, a.net.Host(3))
		w := writer(a.t, late, reliable)
		eventually(a.t, time.Second, "match", func() bool { return w.Matched() == 1 })
		flood.Wait()
		if s := a.victim.Stats(); s.Participants > 2+128 || s.Dropped[rtps.DropParticipantLimit] != 0 {
			t.Errorf("%d participants, %d at the limit", s.Participants, s.Dropped[rtps.DropParticipantLimit])
		}
	})
}

// TestEndpointMemoryIsShared: a participant that announces endpoints without end loses some of them to those that have
// few.
func TestEndpointMemoryIsShared(t *testing.T) {
	underAttack(t, func(a *attacker) {
		var list []wire.GUID
		for i := range 1500 {
			list = append(list, wire.GUID{Entity: wire.NewEntityID(uint32(i), wire.KindWriter)})
		}
		a.endpoints(list...)
		time.Sleep(time.Second)
		before := a.victim.Stats()
		late := start(a.t, a.net.Host(3))
		w := writer(a.t, late, reliable)
		for range 20 {
			writer(a.t, late, bestEffort)
		}
		eventually(a.t, time.Second, "match", func() bool { return w.Matched() == 1 })
		time.Sleep(time.Second)
		n := 0
		for _, e := range a.victim.Endpoints() {
			if e.GUID.Prefix == late.GUID().Prefix {
				n++
			}
		}
		if n != 21 {
			t.Errorf("%d endpoints of the newcomer are known", n)
		}
		if s := a.victim.Stats(); before.Endpoints < 900 || s.Endpoints > before.Endpoints+1 {
			t.Errorf("%d endpoints before, %d after", before.Endpoints, s.Endpoints)
		}
	})
}
