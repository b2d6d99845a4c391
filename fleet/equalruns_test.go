// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// mixtures are the levels and the models of the robots of a world; with more robots than entries they repeat.
var mixtures = [][]string{
	{world.LevelFunctional},
	{world.LevelFirmware},
	{"epuck2"},
	{"thymio2"},
	{world.LevelFunctional, world.LevelFirmware},
	{"turtlebot3_burger", world.LevelFirmware},
	{world.LevelFunctional, "thymio2", world.LevelFirmware, "epuck2"},
}

// How the robots of a run are driven.
const (
	drivenAlone        = "alone"           // with their drivers on a network, at constant speeds
	drivenByNode       = "with a node"     // that publishes a cmd_vel for each odometry message
	drivenByController = "by a controller" // in this process, without a network, that reads the sensors
)

// heapOf is a world of so many robots of a mixture, which drive into each other and into the walls.
func heapOf(t *testing.T, mixture []string, n int) *sim.World {
	t.Helper()
	var text strings.Builder
	text.WriteString("arena: {size: [1.2, 1.2]}\nrange_and_bearing: {range: 0.5}\ncylinders: [{position: [0, 0.1], radius: 0.03}]\nrobots:\n")
	for i := range n {
		at := 2 * math.Pi * float64(i) / float64(n)
		fmt.Fprintf(&text, "  - {name: r%d, position: [%.4f, %.4f], yaw: %.4f", i, 0.35*math.Cos(at), 0.35*math.Sin(at), math.Remainder(at+3, 2*math.Pi))
		switch what := mixture[i%len(mixture)]; what {
		case world.LevelFunctional, world.LevelFirmware:
			fmt.Fprintf(&text, ", level: %s}\n", what)
		default:
			fmt.Fprintf(&text, ", model: %s}\n", what)
		}
	}
	w, err := sim.ParseWorld([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// driveAlone sets the speeds of all robots once.
func driveAlone(t *testing.T, s *sim.Simulation) {
	t.Helper()
	for i, r := range s.Robots() {
		if err := r.OverrideMotors(sim.MotorOverride{Held: true, Speed: 0.06 + 0.01*float64(i%4), Turning: true, Turn: 0.3 * float64(i%3)}); err != nil {
			t.Fatal(err)
		}
	}
}

// driveByNode makes a node drive all robots: each odometry message is answered by a command that depends on it.
func driveByNode(t *testing.T, g *rig) {
	t.Helper()
	for _, r := range g.sim.Robots() {
		send := say[geometry_msgs.Twist](g, "/"+r.Name()+"/cmd_vel")
		sub, err := ros2.NewSubscription(g.node, "/"+r.Name()+"/odom", ros2.DefaultQoS(), func(m *nav_msgs.Odometry, _ ros2.MessageInfo) {
			p := m.Pose.Pose
			send(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.08 - 0.05*math.Abs(p.Orientation.Z)}, Angular: geometry_msgs.Vector3{Z: 4*p.Position.X - p.Position.Y}})
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = sub.Close() })
	}
}

// reactive turns away from what it measures.
type reactive struct{}

func (reactive) Step(c *sim.Control) {
	p := c.Proximity()
	c.SetWheels(4-(p[0]+p[1])/100, 4-(p[6]+p[7])/100+c.Random())
	_ = c.Say([]byte{byte(len(c.Heard()))})
}

// controlAll is a controller's step for robots of all levels, but for functional ones, which have their own.
func controlAll(t *testing.T, s *sim.Simulation) {
	t.Helper()
	for i, r := range s.Robots() {
		switch r := r.(type) {
		case fleet.Chips:
			var cmd [20]byte
			var reply [47]byte
			binary.LittleEndian.PutUint16(cmd[0:], uint16(300+50*(i%3)))
			binary.LittleEndian.PutUint16(cmd[2:], uint16(350))
			for _, b := range cmd[:19] {
				cmd[19] ^= b
			}
			if err := r.Bus().Tx(0x1f, cmd[:], reply[:]); err != nil {
				t.Fatal(err)
			}
			_ = r.Say(reply[:2])
		case interface{ Do(f func(sim.Mechanism)) }:
			r.Do(func(m sim.Mechanism) {
				g := m.(*machine.Machine)
				sum := 0.0
				for k := range g.Description().Devices {
					for _, v := range g.Measure(k, nil) {
						if math.Abs(v) < 1e3 {
							sum += v
						}
					}
				}
				for side, row := range g.Wheels() {
					for _, k := range row {
						g.SetVelocity(k, 2+math.Mod(math.Abs(sum)*float64(7+side), 3))
					}
				}
			})
		}
	}
}

// hashOfRun runs a world for a time and returns its trace.
func hashOfRun(t *testing.T, mixture []string, n int, driven string, d time.Duration) string {
	t.Helper()
	w := heapOf(t, mixture, n)
	opts := sim.Options{Seed: 4, Trace: true, Settled: true, MaxCatchUp: -1}
	if driven == drivenByController {
		clock := sim.NewClock()
		opts.Now, opts.Mechanisms = clock.Now, machine.Maker(library.Parse, library.Load)
		s, err := sim.New(w, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range sim.RobotsOf[*sim.Functional](s) {
			if err := a.SetController(reactive{}, 50*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		for range d / (50 * time.Millisecond) {
			controlAll(t, s)
			clock.Sleep(50 * time.Millisecond)
		}
		h := s.TraceHash()
		return hex.EncodeToString(h[:])
	}
	g := newRigOf(t, w, opts, fleet.Config{Trace: true})
	if driven == drivenByNode {
		driveByNode(t, g)
	} else {
		driveAlone(t, g.sim)
	}
	g.run(d)
	h := g.sim.TraceHash()
	return hex.EncodeToString(h[:])
}

// TestEqualRunsOfEveryLevel: of all levels but target, in all mixtures, with 1 to 8 robots, alone, with a node and with
// controllers, equal runs have the same trace on any number of processors, and others another. Runs of the suite long
// are longer and more. Level target: TestEqualRunsOfTheCommandAtLevelTargetAreTheSame.
func TestEqualRunsOfEveryLevel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	counts, ways := []int{1, 2, 3, 8}, []string{drivenAlone, drivenByNode, drivenByController}
	runs, length := 2, 500*time.Millisecond
	if suite.Long {
		counts, runs, length = []int{1, 2, 3, 4, 5, 6, 7, 8}, 4, 5*time.Second
	}
	seen := map[string]string{}
	for _, mixture := range mixtures {
		for _, n := range counts {
			if n < len(mixture) {
				continue // the mixture is not whole
			}
			for _, driven := range ways {
				name := fmt.Sprintf("%d %s %s", n, strings.Join(mixture, "+"), driven)
				t.Run(name, func(t *testing.T) {
					first := ""
					for r := range runs {
						runtime.GOMAXPROCS(1 + 3*(r%2))
						switch got := hashOfRun(t, mixture, n, driven, length); {
						case r == 0:
							first = got
						case got != first:
							t.Errorf("run %d: trace %s, the first %s", r, got, first)
						}
					}
					if other, known := seen[first]; known {
						t.Errorf("the trace of %s", other)
					}
					seen[first] = name
				})
			}
		}
	}
}
