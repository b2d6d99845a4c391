// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestEveryDropIsCounted: for each reason dropCauses raises its counter, the good peer still works afterwards, and
// names and descriptions are unique.
func TestEveryDropIsCounted(t *testing.T) {
	scenes := dropCauses()
	names, texts := map[string]bool{}, map[string]bool{}
	var none rtps.Drops
	for reason := range none.All() {
		names[reason.String()], texts[reason.Description()] = true, true
		switch reason {
		case rtps.DropSendOverflow, rtps.DropSendError: // TestRefusedDatagramsAreCounted
			continue
		case rtps.DropSecurity: // TestStrangersAreRefused
			continue
		}
		scene := scenes[reason]
		if scene == nil {
			t.Errorf("%v: nothing raises it", reason)
			continue
		}
		t.Run(reason.String(), func(t *testing.T) {
			underAttack(t, func(a *attacker) {
				before := a.victim.Stats().Dropped[reason]
				scene(a)
				time.Sleep(100 * time.Millisecond)
				if n := a.victim.Stats().Dropped[reason]; n <= before {
					t.Errorf("%d before, %d after", before, n)
				}
			})
		})
	}
	if len(names) != len(none) || len(texts) != len(none) || names[""] || texts[""] || names["unknown"] {
		t.Errorf("%d reasons, %d names, %d descriptions", len(none), len(names), len(texts))
	}
	if r := rtps.DropReason(len(none)); r.String() != "unknown" || r.Description() != "" {
		t.Errorf("no reason: %v, %q", r, r.Description())
	}
}

// stubbornHost is a host whose sockets, once switched, reject user traffic with the error err.
type stubbornHost struct {
	*vnet.Host
	err *atomic.Pointer[error]
}

type stubbornSockets struct {
	udp.Sockets
	err *atomic.Pointer[error]
}

func (h stubbornHost) Listen(cfg udp.Config) (udp.Sockets, error) {
	s, err := h.Host.Listen(cfg)
	return stubbornSockets{s, h.err}, err
}

func (s stubbornSockets) Send(b []byte, to netip.AddrPort, t udp.Traffic) error {
	if err := s.err.Load(); t == udp.UserTraffic && err != nil {
		return *err
	}
	return s.Sockets.Send(b, to, t)
}

// TestRefusedDatagramsAreCounted: what the system fails to send, and what is dropped because the queue is full.
func TestRefusedDatagramsAreCounted(t *testing.T) {
	for reason, err := range map[rtps.DropReason]error{rtps.DropSendOverflow: udp.ErrBusy, rtps.DropSendError: errors.New("no route")} {
		synctest.Test(t, func(t *testing.T) {
			n := vnet.New(vnet.Config{})
			var refusal atomic.Pointer[error]
			a, b := start(t, stubbornHost{n.Host(1), &refusal}), start(t, n.Host(2))
			w := writer(t, a, bestEffort)
			r, in := reader(t, b, bestEffort)
			eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
			time.Sleep(time.Second)
			refusal.Store(&err)
			for i := range 100 {
				write(t, w, number(i, 100))
			}
			s := a.Stats()
			if s.Dropped[reason] < 30 {
				t.Errorf("%v: %d", reason, s.Dropped[reason])
			}
			refusal.Store(nil)
			time.Sleep(time.Second)
			write(t, w, number(100, 100))
			eventually(t, time.Second, "the next one", func() bool { got := in.numbers(); return len(got) > 0 && got[len(got)-1] == 100 })
		})
	}
}
