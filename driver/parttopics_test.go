// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// offers reports whether the driver's node publishes the topic, as the graph has it.
func (r *rig) offers(topic string) bool {
	return slices.ContainsFunc(r.node.Graph().EndpointsOf(r.node.Name()), func(e ros2.EndpointInfo) bool { return e.Topic == topic })
}

// Topics of a part exist while it is present, also after it returns. Each change is logged once.
func TestTopicsExistWhilePartIsPresent(t *testing.T) {
	for _, c := range []struct {
		part   world.Part
		topics []string
		found  string
	}{
		{world.ToF, []string{"/tof"}, "VL53L0X"},
		{world.Ground, []string{"/gs0", "/gs1", "/gs2"}, "ground sensors"},
	} {
		t.Run(string(c.part), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: "arena", parts: true, sim: sim.Options{Now: time.Now, Sleep: pass}})
				r.must(r.robot.RemovePart(c.part))
				heard := listenTo[jazzy.Range](r, c.topics[0])
				want := func(when string, there bool) {
					t.Helper()
					for _, topic := range c.topics {
						listed := slices.ContainsFunc(r.driver.Status().Topics, func(s health.TopicStatus) bool { return "/"+s.Name == topic })
						if r.offers(topic) != there || listed != there {
							t.Errorf("%s: %s is offered: %v, listed: %v", when, topic, !there, listed)
						}
					}
					n := len(heard())
					time.Sleep(time.Second)
					if got := len(heard()) - n; there && got < 18 || !there && got > 0 {
						t.Errorf("%s: %d messages in a second", when, got)
					}
				}
				time.Sleep(3 * time.Second)
				want("before", false)
				for range 2 {
					r.must(r.robot.AddPart(c.part))
					time.Sleep(3 * time.Second)
					want("while it is there", true)
					r.must(r.robot.RemovePart(c.part))
					time.Sleep(parts.GoneAfter + time.Second)
					want("after", false)
				}
				for text, n := range map[string]int{
					"part found part=" + string(c.part):                              2,
					"its topics are removed until it returns part=" + string(c.part): 2,
					c.found: 2,
				} {
					if got := r.log.count(text); got != n {
						t.Errorf("%q is said %d times, want %d\n%v", text, got, n, r.log)
					}
				}
				if p := r.driver.Status().Part(parts.Name(c.part)); p.Found != 2 || p.Lost != 2 {
					t.Errorf("%+v", p)
				}
			})
		})
	}
}
