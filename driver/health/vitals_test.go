// SPDX-License-Identifier: Apache-2.0

package health

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestPerSecond(t *testing.T) {
	for _, c := range []struct {
		elapsed     time.Duration
		now, before uint64
		want        float64
	}{
		{0, 5, 1, 0}, {-time.Second, 5, 1, 0}, {time.Second, 5, 1, 4}, {2 * time.Second, 5, 1, 2}, {500 * time.Millisecond, 5, 1, 8},
	} {
		if got := (&vitals{elapsed: c.elapsed}).perSecond(c.now, c.before); got != c.want {
			t.Errorf("from %d to %d in %v: %v a second, want %v", c.before, c.now, c.elapsed, got, c.want)
		}
	}
}

// Counters are compared by index; if the transport's list has changed, the difference is 0 once.
func TestRisen(t *testing.T) {
	counters := func(refused, dropped, crowded uint64) []ros2.Counter {
		return []ros2.Counter{{Name: "a", Kind: ros2.CountRefused, Value: refused}, {Name: "b", Kind: ros2.CountDropped, Value: dropped},
			{Name: "c", Kind: ros2.CountRefused, Value: crowded}}
	}
	for _, c := range []struct {
		name        string
		now, before []ros2.Counter
		kind        ros2.CounterKind
		want        uint64
	}{
		{"no transport counts", nil, nil, ros2.CountRefused, 0},
		{"two of a kind", counters(5, 100, 7), counters(1, 0, 6), ros2.CountRefused, 5},
		{"one of a kind", counters(5, 100, 7), counters(1, 0, 6), ros2.CountDropped, 100},
		{"none of a kind", counters(5, 100, 7), counters(1, 0, 6), ros2.CountCrowded, 0},
		{"a list that grew", counters(5, 100, 7), counters(1, 0, 6)[:2], ros2.CountRefused, 0},
		{"the first snapshot", counters(5, 100, 7), nil, ros2.CountRefused, 0},
	} {
		v := vitals{}
		v.now.Network, v.before.Network = c.now, c.before
		if got := v.risen(c.kind); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// More than a twentieth fails, in whatever way; exactly a twentieth does not.
func TestFailing(t *testing.T) {
	bus := func(n uint64) mcu.Stats {
		s := mcu.Stats{Transactions: 200}
		s.BusErrors[i2c.KindNone+1] = n
		return s
	}
	for _, c := range []struct {
		name        string
		now, before mcu.Stats
		want        bool
	}{
		{"nothing was sent", mcu.Stats{}, mcu.Stats{}, false},
		{"a twentieth", bus(10), mcu.Stats{}, false},
		{"more", bus(11), mcu.Stats{}, true},
		{"more, but long ago", bus(11), mcu.Stats{Transactions: 100, Checksum: 11}, false},
		{"of several kinds", mcu.Stats{Transactions: 40, Checksum: 1, Implausible: 2}, mcu.Stats{}, true},
	} {
		if got := failing(&c.now, &c.before); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestPartOfAStatus(t *testing.T) {
	s := Status{Parts: []PartStatus{{Name: "imu", Polls: 3}, {Name: "tof", Polls: 5}}}
	for name, want := range map[parts.Name]uint64{parts.IMU: 3, parts.ToF: 5, parts.Ground: 0} {
		if p := s.Part(name); p.Polls != want {
			t.Errorf("%s: %d polls, want %d", name, p.Polls, want)
		}
	}
	v := vitals{}
	v.now.Robot = s
	if now, before := v.part(parts.IMU); now.Polls != 3 || before.Polls != 0 {
		t.Errorf("%d polls now, %d before", now.Polls, before.Polls)
	}
}

func TestSubscribed(t *testing.T) {
	s := Status{Topics: []TopicStatus{{Name: "odom", Subscribers: 3}, {Name: "scan"}, {Name: "imu", Subscribers: 1}}}
	if n := s.Subscribed(); n != 2 {
		t.Errorf("%d topics have subscribers, want 2", n)
	}
	if n := (Status{}).Subscribed(); n != 0 {
		t.Errorf("%d of no topics", n)
	}
}
