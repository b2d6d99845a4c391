// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Of a group without subscribers only those are due that follow the readings all the time; one subscriber of any makes
// all due, in their order, and its end none again.
func TestGroupIsDueWithASubscriber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "")
		g, err := NewGroup(p.robot, p.set, PublishedBy(""), new(atomic.Uint32))
		p.must(err)
		names := func(list []Output) (all []string) {
			for _, o := range list {
				all = append(all, o.Status().Name)
			}
			return all
		}
		var always []string
		for _, row := range PublishedBy("") {
			if row.When == OnChange || row.QoS.Durability == ros2.TransientLocal {
				always = append(always, row.Names()...)
			}
		}
		if got := names(g.Due()); g.Wanted() || len(always) == 0 || !slices.Equal(got, always) {
			t.Errorf("due without a subscriber: %q, want %q", got, always)
		}
		for range 2 {
			sub, err := ros2.NewSubscription(p.user, "ps3", ros2.DefaultQoS(), func(*jazzy.Range, ros2.MessageInfo) {})
			p.must(err)
			synctest.Wait()
			if got := names(g.Due()); !g.Wanted() || !slices.Equal(got, names(g.All)) {
				t.Errorf("due with a subscriber: %q", got)
			}
			p.must(sub.Close())
			synctest.Wait()
			if len(g.Due()) != len(always) || g.Wanted() {
				t.Errorf("due when it has gone: %q", names(g.Due()))
			}
		}
		p.must(CloseOutputs(g.All))
		if none := (&Group{}); len(none.Due()) != 0 || none.Wanted() {
			t.Error("a group without outputs is wanted")
		}
	})
}

// A group that can't be offered leaves nothing.
func TestGroupThatIsNotOffered(t *testing.T) {
	p := newPair(t, "")
	if g, err := NewGroup(p.robot, p.set, append(PublishedBy(parts.ToF), p.row(TopicDiag)), new(atomic.Uint32)); !errors.Is(err, errRow) || len(g.All) != 0 {
		t.Errorf("%v, %v", g, err)
	}
}
