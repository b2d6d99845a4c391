// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// What can't be obeyed of a described robot's devices is left out: its controller is answered, its robot drives on, and
// the others continue.
func TestHostileControllersOfDescribedRobots(t *testing.T) {
	for name, parts := range map[string]func(p *peer) []wire.Part{
		"a device that there is not":   func(*peer) []wire.Part { return []wire.Part{{Tag: 22, Body: []byte{wire.Period, 1, 0}}} },
		"a camera's command to a gyro": func(p *peer) []wire.Part { return []wire.Part{p.part("spin", wire.CameraSegmentation, 1)} },
		"a lidar's half a frequency":   func(p *peer) []wire.Part { return []wire.Part{p.part("fan", wire.LidarFrequency, 1, 2, 3)} },
		"a speed that is no number":    func(p *peer) []wire.Part { return []wire.Part{p.motor("lift", wire.MotorVelocity, math.NaN())} },
		"a place that is no number":    func(p *peer) []wire.Part { return []wire.Part{p.motor("lift", wire.MotorPosition, math.NaN())} },
		"a gain that is no number": func(p *peer) []wire.Part {
			return []wire.Part{p.doubles("left motor", wire.MotorPID, math.Inf(1), 0, 0)}
		},
		"a packet longer than its request": func(p *peer) []wire.Part {
			return []wire.Part{p.part("emitter", emission("x")[:16]...)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := serve(t, hall, func(c *webots.Config) { c.Controllers = 2 })
			good, bad := g.control("a"), g.control("p")
			good.send(32)
			bad.do(32, bad.turn("left motor", 3), bad.turn("right motor", 3))
			if err := good.take(); err != nil {
				t.Fatal(err)
			}
			good.send(32)
			bad.send(32, parts(bad)...)
			if err := bad.take(); err != nil {
				t.Fatal(err)
			}
			if err := good.take(); err != nil || good.now != 0.064 {
				t.Errorf("the other one: %g s, %v", good.now, err)
			}
			if v := g.where("p").V; v == 0 {
				t.Error("its robot has stopped")
			}
		})
	}
}

// Numbers without an end are what they are for: they move nothing beyond its limits.
func TestEndlessNumbers(t *testing.T) {
	g := serve(t, hall, nil)
	p := g.control("p")
	p.do(1000, p.motor("lift", wire.MotorPosition, math.Inf(1)), p.motor("lift", wire.MotorVelocity, 1e300), p.turn("left motor", -1e300),
		p.motor("right motor", wire.MotorPosition, 1e300), p.doubles("right motor", wire.MotorPID, 1e300, 0, 0))
	near(t, "lift", g.joint("p", "lift").Position, 0.1, 1e-6) // as fast as it may
	near(t, "left", g.joint("p", "left motor").Velocity, -5, 1e-9)
	near(t, "right", g.joint("p", "right motor").Velocity, 5, 1e-9)
	p.do(5000)
	near(t, "lift, at its end", g.joint("p", "lift").Position, 0.2, 1e-6)
}

// A lidar with more rays than the protocol can represent is left out, and the log says so; the others are there.
func TestLidarOfTooManyRays(t *testing.T) {
	const file = `<robot name="r"><link name="base"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
<gazebo reference="base"><sensor name="%s" type="ray"><ray><scan><horizontal><samples>%d</samples><min_angle>-1</min_angle>
<max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>4</max></range></ray></sensor></gazebo></robot>`
	const world = "name: x\nrobots: [{name: r, model: r, position: [0, 0]}]"
	for samples, want := range map[int]bool{65535: true, 65536: false} {
		var log journal
		g := serveFile(t, world, fmt.Sprintf(file, "fan", samples), log.logged)
		conn, answer := g.meet("CTR\nRobot-Name: r")
		if answer != wire.Connected {
			t.Fatal(answer)
		}
		p := &peer{t: t, conn: conn, release: wire.Latest(), values: map[uint16][]float64{}, names: map[string]uint16{}, kinds: map[string]uint16{}, configs: map[string][]byte{}}
		p.do(0)
		if _, there := p.names["fan"]; there != want || (log.count("more rays than") == 1) == want {
			t.Errorf("%d rays: %v, %s", samples, p.names, &log.text)
		}
		if want {
			p.do(10, p.period("fan", 10))
			if len(p.image) != samples*24 {
				t.Errorf("%d bytes for %d rays", len(p.image), samples)
			}
		}
	}
}

// A described robot that leaves the world ends its controller, and one that comes later may have one.
func TestDescribedRobotsComeAndGo(t *testing.T) {
	g := serve(t, hall, func(c *webots.Config) { c.Controllers = 2 })
	a, k := g.control("a"), g.control("k")
	a.send(32)
	k.do(32)
	if err := a.take(); err != nil {
		t.Fatal(err)
	}
	if err := g.sim.Remove("k"); err != nil {
		t.Fatal(err)
	}
	a.send(32)
	k.send(32)
	if err := k.take(); err != nil || !k.quit {
		t.Errorf("quit %t, %v", k.quit, err)
	}
	if err := a.take(); err != nil {
		t.Fatal(err)
	}
	if _, err := g.sim.Spawn(world.Robot{Name: "late", Model: "thymio2", Position: world.Point{1, 1}}); err != nil {
		t.Fatal(err)
	}
	late := g.control("late")
	late.send(96, late.turn("motor.left", 5), late.turn("motor.right", 5))
	a.do(96)
	if err := late.take(); err != nil {
		t.Fatal(err)
	}
	if x := g.where("late").Pose.X; x < 1.005 {
		t.Errorf("it is at %g", x)
	}
	if _, answer := g.meet("CTR\nRobot-Name: k"); !strings.HasPrefix(answer, wire.Failed) {
		t.Errorf("the one that has left: %q", answer)
	}
}
