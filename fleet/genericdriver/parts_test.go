// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/machine"
)

// A period is whole cycles of 10 ms, one at least, as near to the rate as they come.
func TestPeriod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(0.001, 1000).Draw(t, "rate")
		p, cycle := (&Settings{Rate: rate}).period(), 10*time.Millisecond
		if p < cycle || p%cycle != 0 || math.Abs(p.Seconds()-1/rate) > 0.005+1e-9 && !(p == cycle && rate > 100) {
			t.Fatalf("%g Hz: %v", rate, p)
		}
	})
}

// The topic of a description is its last word, unless that can't be one of ours.
func TestNamed(t *testing.T) {
	for topic, want := range map[string]string{
		"": "x", "/a/b/scan": "scan", "odometry": "x", "/model/odometry": "x", "a b": "x", "/scan/": "scan", "//": "x", "a//b/": "b", "0": "x", "imu": "imu",
	} {
		if got := topicName(topic, "x"); got != want {
			t.Errorf("%q is the topic %q, not %q", topic, got, want)
		}
	}
}

// part is a component that counts, and whose methods fail with an error of its own.
type part struct {
	Component
	fail           error
	closed, sensed int
	wanted         bool
}

func (p *part) Wanted() bool                     { return p.wanted }
func (p *part) Sense(machine.Devices, time.Time) { p.sensed++ }
func (p *part) Publish() error                   { return p.fail }
func (p *part) Close() error                     { p.closed++; return p.fail }

// Joined components measure each as it is wanted, and no error of any hides another; of two of which one could not be
// made the other is closed.
func TestJoinedComponents(t *testing.T) {
	errA, errB := errors.New("a"), errors.New("b")
	a, b := &part{fail: errA, wanted: true}, &part{fail: errB}
	c := join(a, b)
	c.Sense(nil, time.Time{})
	if err := errors.Join(c.Publish()); !c.Wanted() || a.sensed != 1 || b.sensed != 0 || !errors.Is(err, errA) || !errors.Is(err, errB) {
		t.Errorf("%d and %d, %v", a.sensed, b.sensed, err)
	}
	if a.wanted = false; c.Wanted() {
		t.Error("wanted by none of them")
	}
	if err := c.Close(); a.closed != 1 || b.closed != 1 || !errors.Is(err, errA) || !errors.Is(err, errB) {
		t.Errorf("closed %d and %d times, %v", a.closed, b.closed, err)
	}
	refused := errors.New("refused")
	made, err := both(a, nil, nil, refused)
	if made != nil || a.closed != 2 || !errors.Is(err, refused) || !errors.Is(err, errA) {
		t.Errorf("%v, closed %d times, %v", made, a.closed, err)
	}
}
