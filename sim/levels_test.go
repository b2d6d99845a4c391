// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// The same commands make both levels drive the same way and see the same, within what noise, slip and the motors' first
// period explain.
func TestLevelsBehaveAlike(t *testing.T) {
	const scene = "arena: {size: [1, 1]}\ncylinders: [{position: [0.12, 0.03], radius: 0.03}]\nrobots: [{name: r}]"
	type sample struct {
		pose      sim.Pose
		proximity [8]float64
		wheels    [2]float64
	}
	commands := []struct{ left, right int }{{400, 400}, {200, -200}, {1100, 900}, {-300, -350}, {0, 0}, {150, 151}, {700, 700}, {3000, 3000}}
	run := func(level string) (samples []sample) {
		w, err := sim.ParseWorld([]byte(scene))
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Level = level
		s, clock := start(t, w, sim.Options{Seed: 2})
		for _, c := range commands {
			for range 10 {
				v := sample{}
				if level == world.LevelFunctional {
					a := sim.RobotsOf[*sim.Functional](s)[0]
					a.Do(func(h *sim.Control) {
						h.SetWheels(float64(c.left)*2*math.Pi/1000, float64(c.right)*2*math.Pi/1000)
					})
					clock.Sleep(100 * time.Millisecond)
					a.Do(func(h *sim.Control) {
						v.proximity = h.Proximity()
						v.wheels, _ = h.Wheels()
					})
					v.pose = a.GroundTruth().Pose
				} else {
					g := &rig{t: t, clock: clock, robot: sim.RobotsOf[*sim.Firmware](s)[0]}
					g.drive(c.left, c.right, 100*time.Millisecond)
					g.exchange(c.left, c.right)
					for i := range v.proximity {
						v.proximity[i] = float64(g.word(2*i)) - g.robot.InfraredOffset(i)
					}
					truth := g.robot.GroundTruth()
					v.wheels = [2]float64{truth.LeftWheel, truth.RightWheel}
					v.pose = truth.Pose
				}
				samples = append(samples, v)
			}
		}
		return samples
	}
	f, g := run(world.LevelFunctional), run(world.LevelFirmware)
	seen := 0
	for i := range f {
		near(t, "x", f[i].pose.X, g[i].pose.X, 0.004)
		near(t, "y", f[i].pose.Y, g[i].pose.Y, 0.004)
		near(t, "heading", math.Remainder(f[i].pose.Theta-g[i].pose.Theta, 2*math.Pi), 0, 0.1)
		for k := range f[i].wheels {
			near(t, "wheel", f[i].wheels[k], g[i].wheels[k], 0.2)
		}
		for k := range f[i].proximity {
			a, b := f[i].proximity[k], g[i].proximity[k]
			if b > 100 {
				seen++
			}
			near(t, "proximity", a, b, 8+0.6*math.Max(a, b)) // a few millimetres near a wall are a factor
		}
		if t.Failed() {
			t.Fatalf("sample %d: functional %v, firmware %v", i, f[i], g[i])
		}
	}
	if seen < 20 {
		t.Errorf("something was seen %d times only: the scene shows nothing", seen)
	}
}

// At rest at the same pose both levels measure equal values with equal deviations.
func TestLevelsMeasureAlike(t *testing.T) {
	const scene = "arena: {size: [1, 1]}\nfloor: {circles: [{position: [0.46, 0], radius: 0.02, reflectance: 0.5}]}\n" +
		"robots: [{name: r, position: [0.43, 0.01], yaw: 0.05}, {name: other, position: [0.43, 0.1]}]"
	moments := func(level string) (mean, sd [8]float64) {
		w, err := sim.ParseWorld([]byte(scene))
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Level = level
		s, clock := start(t, w, sim.Options{Seed: 2})
		const n = 400
		for range n {
			clock.Sleep(20 * time.Millisecond)
			var p [8]float64
			if level == world.LevelFunctional {
				sim.RobotsOf[*sim.Functional](s)[0].Do(func(c *sim.Control) { p = c.Proximity() })
			} else {
				g := &rig{t: t, clock: clock, robot: sim.RobotsOf[*sim.Firmware](s)[0]}
				g.exchange(0, 0)
				for i := range p {
					p[i] = float64(g.word(2*i)) - g.robot.InfraredOffset(i)
				}
			}
			for i, v := range p {
				mean[i] += v / n
				sd[i] += v * v / n
			}
		}
		for i := range sd {
			sd[i] = math.Sqrt(max(0, sd[i]-mean[i]*mean[i]))
		}
		return mean, sd
	}
	fm, fs := moments(world.LevelFunctional)
	gm, gs := moments(world.LevelFirmware)
	for i := range fm {
		near(t, "mean", fm[i], gm[i], 1.5+0.01*gm[i])
		near(t, "spread", fs[i], gs[i], 1.5+0.25*gs[i])
	}
	if gm[0] < 100 || gm[5] < 100 { // the wall ahead, the other robot to the left
		t.Errorf("the scene shows nothing: %v", gm)
	}
}

// Robots of both levels detect, receive from and collide with each other.
func TestLevelsMix(t *testing.T) {
	w, err := sim.ParseWorld([]byte("range_and_bearing: {loss: 0}\nrobots:\n- {name: a, level: functional}\n- {name: b, position: [0.1, 0], yaw: 3.14159265}"))
	if err != nil {
		t.Fatal(err)
	}
	s, clock := start(t, w, sim.Options{})
	a, b := sim.RobotsOf[*sim.Functional](s)[0], sim.RobotsOf[*sim.Firmware](s)[0]
	g := &rig{t: t, clock: clock, robot: b}
	g.exchange(0, 0)
	clock.Sleep(20 * time.Millisecond)
	g.exchange(0, 0)
	if v := float64(g.word(0)) - b.InfraredOffset(0); v < 80 {
		t.Errorf("the firmware robot reads %g before the functional one", v)
	}
	a.Do(func(c *sim.Control) {
		if p := c.Proximity(); p[0] < 80 || p[3] > 20 {
			t.Errorf("the functional robot reads %v before the firmware one", p)
		}
		if d := c.Distance(); !(d > 0.01 && d < 0.08) {
			t.Errorf("its distance sensor reads %g m", d)
		}
		c.SetWheels(6, 6)
	})
	clock.Sleep(time.Second)
	if truth := a.GroundTruth(); !truth.Collided || math.Abs(truth.Pose.X-0.026) > 0.001 {
		t.Errorf("the functional robot went through the other: %+v", truth)
	}
	a.Listen(true)
	b.Listen(true)
	if err := a.Say([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if err := b.Say([]byte("you")); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(sim.MessagePeriod)
	for _, c := range []struct {
		to   sim.Robot
		want string
	}{{a, "you"}, {b, "hello"}} {
		heard, at := c.to.Hear(nil)
		if len(heard) != 1 || string(heard[0].Payload) != c.want || math.Abs(heard[0].Range-0.074) > 0.02 ||
			math.Abs(heard[0].Bearing) > 0.5 || at == 0 {
			t.Errorf("%s heard %+v at %v", c.to.Name(), heard, at)
		}
	}
}
