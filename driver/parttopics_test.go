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
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
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

// A part that was reset is back within a short gap: the topic stays.
func TestResetOfAPartKeepsItsTopics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "arena", parts: true, sim: sim.Options{Now: time.Now, Sleep: pass}})
		ranges := listenTo[jazzy.Range](r, "tof")
		time.Sleep(3 * time.Second)
		r.must(r.robot.Bus().FaultsAt(0x29).Next(vbus.Fault{Kind: vbus.Restart}))
		n := len(ranges())
		time.Sleep(5 * time.Second)
		if got := len(ranges()) - n; got < 60 {
			t.Errorf("%d ranges in the 5 s after a reset", got)
		}
		if n := r.log.count("part found part=tof"); n != 1 {
			t.Errorf("found %d times\n%v", n, r.log)
		}
	})
}

// Topics that the transport refused are offered when it accepts them again.
func TestTopicsOfAPartAreOfferedAgainAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := steppedRig(t, rigOptions{})
		topics := r.driver.topicsOf(parts.ToF)
		node := r.driver.node
		other, err := ros2.NewNode(ros2.NodeConfig{Name: "closed", Transport: r.transport})
		r.must(err)
		r.must(other.Close())
		r.driver.node = other
		if opened, err := topics.Open(); opened || err == nil || topics.Wanted() {
			t.Errorf("opened %v, %v", opened, err)
		}
		b := r.driver.bus.parts
		b.NotOffered(parts.Status{Name: "tof"}, r.driver.clock.Now(), err)
		if r.log.count("can't create the topics") != 1 {
			t.Errorf("%v", r.log)
		}
		r.driver.node = node
		if opened, err := topics.Open(); !opened || err != nil || !r.offers("/tof") {
			t.Errorf("opened %v, %v", opened, err)
		}
		r.must(topics.Close())
		r.must(topics.Close()) // harmless
		if r.offers("/tof") {
			t.Error("still offered")
		}
	})
}

func TestOneMagnetometerAtATime(t *testing.T) {
	r, _ := steppedRig(t, rigOptions{})
	a, b, tof := r.driver.topicsOf(parts.Mag), r.driver.topicsOf(parts.IMUField), r.driver.topicsOf(parts.ToF)
	if !a.claim() || !a.claim() || b.claim() || !tof.claim() {
		t.Error("both magnetometers publish, or none")
	}
	b.disclaim()
	if b.claim() {
		t.Error("another's topic was given away")
	}
	a.disclaim()
	if !b.claim() {
		t.Error("no magnetometer publishes")
	}
}
