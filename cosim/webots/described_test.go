// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
)

// hall is a world with a built-in e-puck2 and robots by their descriptions.
const hall = `
name: hall
arena: {center: [0, 0], size: [4, 4], height: 0.3}
floor: {reflectance: 0.5}
lights: [{name: lamp, position: [0, 0, 0.5], intensity: 0.2}]
robots:
  - {name: a, level: functional, position: [-1.2, 0.5]}
  - {name: k, model: khepera4, position: [0, 1]}
  - {name: t, model: turtlebot3_burger, position: [0, -1]}
  - {name: y, model: thymio2, position: [-1, -1]}
  - {name: v1, model: epuck, position: [-1.5, 1.5]}
  - {name: p, model: probe, position: [1.5, 0], yaw: 1.5707963267948966}
`

// near asks for a number.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %g, want %g ± %g", what, got, want, within)
	}
}

// where is the true state of a robot of any kind.
func (g *rig) where(robot string) sim.GroundTruth {
	g.t.Helper()
	for _, o := range g.sim.Robots() {
		if o.Name() == robot {
			return o.GroundTruth()
		}
	}
	g.t.Fatalf("no robot %q", robot)
	return sim.GroundTruth{}
}

// joint is how fast and where a joint of a described robot is.
func (g *rig) joint(robot, name string) (state machine.JointState) {
	g.t.Helper()
	for _, v := range sim.RobotsOf[*sim.Articulated](g.sim) {
		if v.Name() == robot {
			v.Do(func(g sim.Mechanism) {
				m := g.(*machine.Machine)
				for i := range m.Description().Joints {
					if m.Description().Joints[i].Name == name {
						state = m.Joint(i)
					}
				}
			})
		}
	}
	return state
}

// A robot by its description has its devices under the names of Webots' PROTO where there is one, and what is one
// device here and several there is several.
func TestDescribedDevices(t *testing.T) {
	g := serve(t, hall, nil)
	wheels := map[string]wire.Kind{
		"left wheel motor": wire.Motor, "right wheel motor": wire.Motor, "left wheel sensor": wire.PositionSensor, "right wheel sensor": wire.PositionSensor,
	}
	for robot, c := range map[string]struct {
		model  string
		count  int
		wheels bool
		kinds  map[string]wire.Kind
	}{
		"k": {"Khepera IV", 30, true, map[string]wire.Kind{
			"front infrared sensor": wire.DistanceSensor, "ground front left infrared sensor": wire.DistanceSensor, "rear led": wire.LED,
			"right ultrasonic sensor": wire.DistanceSensor, "camera": wire.Camera, "accelerometer": wire.Accelerometer, "gyro": wire.Gyro,
			"imu": wire.InertialUnit, "emitter": wire.Emitter, "receiver": wire.Receiver,
		}},
		"t": {"TurtleBot3 Burger", 9, true, map[string]wire.Kind{
			"LDS-01": wire.Lidar, "compass": wire.Compass, "accelerometer": wire.Accelerometer, "gyro": wire.Gyro,
		}},
		"y": {"Thymio II", 13, false, map[string]wire.Kind{
			"motor.left": wire.Motor, "motor.right.position": wire.PositionSensor, "prox.horizontal.6": wire.DistanceSensor, "prox.ground.1": wire.DistanceSensor,
		}},
		"v1": {"GCtronic e-puck", 15, true, map[string]wire.Kind{"ps7": wire.DistanceSensor, "camera": wire.Camera}},
		"p": {"probe", 21, false, map[string]wire.Kind{
			"left motor": wire.Motor, "right angle": wire.PositionSensor, "lift": wire.LinearMotor, "near": wire.DistanceSensor,
			"near 2": wire.DistanceSensor, "bright": wire.LightSensor, "glow": wire.LED, "fan": wire.Lidar, "push": wire.Accelerometer, "spin": wire.Gyro,
			"pose": wire.InertialUnit, "north": wire.Compass, "place": wire.GPS, "bumper": wire.TouchSensor, "emitter": wire.Emitter, "receivers": wire.Receiver,
		}},
	} {
		p := g.control(robot)
		if p.model != c.model || len(p.names) != c.count {
			t.Errorf("%s: model %q, %d devices: %v", robot, p.model, len(p.names), p.names)
		}
		want := c.kinds
		if c.wheels {
			for name, kind := range wheels {
				want[name] = kind
			}
		}
		for name, kind := range want {
			if got, ok := p.kinds[name]; !ok || got != wire.Latest().Number(kind) {
				t.Errorf("%s: %q is %d, want %d", robot, name, got, wire.Latest().Number(kind))
			}
		}
		p.do(0, p.part("", wire.RobotExit))
		_ = p.conn.Close()
	}
}

// What a described robot measures is so, in Webots' units.
func TestDescribedSensors(t *testing.T) {
	g := serve(t, hall, nil)
	p := g.control("p") // 1.5 m to the right, looking up the map
	on := []wire.Part{p.part("", wire.RobotBatteryPeriod, 10, 0), p.turn("left motor", 2), p.turn("right motor", 2)}
	for _, name := range []string{"near", "near 2", "bright", "fan", "push", "spin", "pose", "north", "place", "bumper", "left angle", "height"} {
		on = append(on, p.period(name, 10))
	}
	p.do(500, on...)
	at := g.where("p").Pose
	wall := 2 - at.Y - 0.06
	near(t, "infrared, out of reach", p.value("near"), 0, 1e-9)
	near(t, "sonar", p.value("near 2"), wall, 0.01)
	near(t, "left angle, steps of 0.5 rad", p.value("left angle"), 1, 1e-9)
	near(t, "light, half of the table's", p.value("bright"), 2047.5, 1000)
	near(t, "bumper", p.value("bumper"), 0, 0)
	near(t, "energy", p.energy, 1000, 1)
	vector := func(name string) []float64 { return p.values[p.names[name]] }
	for i, want := range []float64{0, 0, 9.81} {
		near(t, "acceleration", vector("push")[i], want, 0.02)
	}
	for i, want := range []float64{0, 0, math.Sin(math.Pi / 4), math.Cos(math.Pi / 4)} {
		near(t, "attitude", vector("pose")[i], want, 1e-6)
	}
	north := vector("north") // it is ahead, and dips
	near(t, "north ahead", north[0], 22/math.Hypot(22, 43), 1e-6)
	near(t, "north below", north[2], -43/math.Hypot(22, 43), 1e-6)
	for i, want := range []float64{at.X, at.Y, 0, 0.04, 0, 0.04, 0} {
		near(t, "place", vector("place")[i], want, 1e-3)
	}
	ranges := p.floats()[:15]
	near(t, "ahead and up", ranges[2]*math.Cos(0.1), 2-at.Y, 0.02)
	near(t, "right ahead", ranges[5+2], 2-at.Y, 0.02)
	near(t, "ahead and down", ranges[10+2], 0.06/math.Sin(0.1), 0.01) // the floor
	near(t, "to the right", ranges[5+4]*math.Sin(1), 0.5, 0.02)
	if left := ranges[5]; left < 2 {
		t.Errorf("to the left %g m", left)
	}
	p.do(200, p.turn("left motor", -1), p.turn("right motor", 1))
	near(t, "turning", vector("spin")[2], 100*0.02*2/0.1, 1)
	p.do(6000, p.turn("left motor", 5), p.turn("right motor", 5), p.period("bumper", 10))
	p.do(30000)
	near(t, "bumper at the wall", p.value("bumper"), 1, 0)
}

// floats are the latest picture's numbers.
func (p *peer) floats() (v []float64) {
	for b := p.image; len(b) >= 4; b = b[4:] {
		v = append(v, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return v
}

// Motors of described robots turn and slide: on and on, up to a position, within their limits, and not without torque.
// A joint that has no motor of its own in the file has one by the joint's name.
func TestDescribedMotors(t *testing.T) {
	var log journal
	g := serve(t, hall, log.logged)
	p := g.control("p")
	p.do(0)
	if s := g.joint("p", "lift"); s.Position != 0 {
		t.Fatalf("the lift begins at %g", s.Position)
	}
	p.do(1000, p.motor("lift", wire.MotorPosition, 0.05), p.turn("left motor", 100), p.turn("right motor", -3), p.period("height", 10))
	near(t, "lift", p.value("height"), 0.05, 1e-6)
	near(t, "left", g.joint("p", "left motor").Velocity, 5, 1e-9)
	near(t, "right", g.joint("p", "right motor").Velocity, -3, 1e-9)
	p.do(5000, p.motor("lift", wire.MotorPosition, 7), p.motor("left motor", wire.MotorAvailableForce, 0), p.motor("right motor", wire.MotorForce, 1))
	near(t, "lift at its end", p.value("height"), 0.2, 1e-6)
	near(t, "left without torque", g.joint("p", "left motor").Velocity, 0, 0)
	near(t, "right with a torque", g.joint("p", "right motor").Velocity, 0, 0)
	p.do(100, p.motor("lift", wire.MotorPosition, 0), p.motor("lift", wire.MotorVelocity, 0.05))
	near(t, "lift, slower", g.joint("p", "lift").Velocity, -0.05, 1e-9)
	p.do(100, p.motor("lift", wire.MotorVelocity, 0))
	near(t, "lift, without speed", g.joint("p", "lift").Velocity, 0, 0)
	node := byte(wire.Latest().Number(wire.LinearMotor))
	p.do(0, p.part("height", wire.PositionAssociated, node, 0), p.part("lift", wire.MotorAssociated, 0, byte(wire.Latest().Number(wire.PositionSensor)), 0))
	near(t, "the lift's motor", p.value("height"), float64(p.names["lift"]), 0)
	near(t, "the lift's sensor", p.value("lift"), float64(p.names["height"]), 0)
	if log.count("a motor's torque") != 1 || log.count("depth depth") != 1 {
		t.Errorf("the log: %s", &log.text)
	}
	if r := (&reader{t, p.configs["lift"]}); r.int32() != 1 || r.float() != 0 || r.float() != 0.2 || r.float() != 0.1 {
		t.Errorf("the lift says %x of itself", p.configs["lift"])
	}
}

// What others want of a robot that has a controller lasts for a tick: it holds its joints.
func TestControllerHoldsItsJoints(t *testing.T) {
	g := serve(t, hall, nil)
	p := g.control("k")
	p.do(0)
	p.send(1000)
	if err := p.take(); err != nil {
		t.Fatal(err)
	}
	sim.RobotsOf[*sim.Articulated](g.sim)[0].Do(func(g sim.Mechanism) { // as cmd_vel does
		m := g.(*machine.Machine)
		for _, side := range m.Wheels() {
			for _, i := range side {
				m.SetVelocity(i, 10)
			}
		}
	})
	p.do(1000)
	if at := g.where("k").Pose; math.Hypot(at.X, at.Y-1) > 0.003 {
		t.Errorf("it went to %g, %g", at.X, at.Y)
	}
	p.do(1000, p.turn("left wheel motor", 10), p.turn("right wheel motor", 10))
	near(t, "x", g.where("k").Pose.X, 0.21, 0.003)
}

// TestDescribedMotorsHaveTheirLimit: the description's limit of velocity, above or below Webots' default of 10 rad/s.
func TestDescribedMotorsHaveTheirLimit(t *testing.T) {
	p := serve(t, hall, nil).control("k")
	r := &reader{t, p.configs["left wheel motor"]}
	r.int32()
	r.float()
	r.float()
	near(t, "the greatest velocity of a Khepera IV's wheel", r.float(), 38.095, 0.001)
}

// LEDs show what they can: one of their colors, or any.
func TestDescribedLEDs(t *testing.T) {
	g := serve(t, hall, nil)
	p := g.control("p")
	p.do(32, p.part("signal", wire.LEDSet, 2, 0, 0, 0), p.part("glow", wire.LEDSet, 0xFF, 0, 0x33, 0))
	read := func(name string) (v []float64) {
		for _, o := range sim.RobotsOf[*sim.Articulated](g.sim) {
			if o.Name() == "p" {
				o.Do(func(g sim.Mechanism) {
					m := g.(*machine.Machine)
					for i := range m.Description().Devices {
						if m.Description().Devices[i].Name == name {
							v = m.Measure(i, nil)
						}
					}
				})
			}
		}
		return v
	}
	if signal, glow := read("signal"), read("glow"); signal[0] != 0 || signal[1] != 1 || glow[0] != 0.2 || glow[2] != 1 {
		t.Errorf("signal %v, glow %v", signal, glow)
	}
	p.do(32, p.part("signal", wire.LEDSet, 9, 0, 0, 0))
	if signal := read("signal"); signal[1] != 1 {
		t.Errorf("a color that there is not: %v", signal)
	}
	p.do(32, p.part("signal", wire.LEDSet, 0, 0, 0, 0))
	if signal := read("signal"); signal[1] != 0 {
		t.Errorf("it shines on: %v", signal)
	}
}

// Packets go from e-pucks to described robots and back, by the channel, the reach and the buffer that each says.
func TestDescribedRadio(t *testing.T) {
	g := serve(t, strings.Replace(hall, "[1.5, 0]", "[-0.9, 0.5]", 1), func(c *webots.Config) { c.Controllers = 3 })
	a, k, p := g.control("a"), g.control("k"), g.control("p")
	all := func(parts map[*peer][]wire.Part) {
		for _, x := range []*peer{a, k, p} {
			x.send(32, parts[x]...)
		}
		for _, x := range []*peer{a, k, p} {
			if err := x.take(); err != nil {
				t.Fatal(err)
			}
		}
	}
	on := func(x *peer, receivers string) []wire.Part { return []wire.Part{x.period(receivers, 32)} }
	all(map[*peer][]wire.Part{a: on(a, "receiver"), k: on(k, "receiver"), p: append(on(p, "receivers"), p.part("emitter", emission("x")...))})
	all(map[*peer][]wire.Part{a: {a.part("emitter", emission("hello")...)}, k: {k.part("emitter", sent(3, -1, "twelve bytes")...)}})
	all(map[*peer][]wire.Part{k: {k.part("emitter", sent(3, -1, "and five")...), k.part("emitter", sent(3, -1, "longer than this buffer")...)}})
	all(nil)
	if strings.Join(k.heard, " ") != "x hello" || strings.Join(p.heard, ", ") != "twelve bytes, and five" {
		t.Errorf("k heard %q, p %q", k.heard, p.heard)
	}
	if r := (&reader{t, p.configs["emitter"]}); r.int32() != 128 || r.int32() != 3 || r.float() != -1 || r.float() != 0.5 || r.float() != 1 {
		t.Errorf("the emitter says %x of itself", p.configs["emitter"])
	}
}

// The same controllers make the same run, whatever comes first: described robots and e-pucks in one world.
func TestSameMixedRun(t *testing.T) {
	run := func(names ...string) [32]byte {
		g := serve(t, hall, func(c *webots.Config) { c.Controllers = len(names) })
		peers := map[string]*peer{}
		for _, name := range names {
			peers[name] = g.control(name)
		}
		var group task.Group
		for name, p := range peers {
			group.Go(name, func() {
				for i := range 30 {
					v := float64(i%7) - 2
					switch {
					case name != "y":
						p.do(32, p.drive(v, -v/2)...)
					case i < 20: // as long, in longer steps
						p.do(48, p.turn("motor.left", v), p.turn("motor.right", -v))
					}
				}
			})
		}
		group.Wait()
		return g.sim.TraceHash()
	}
	want := run("a", "k", "t", "y")
	if got := run("y", "t", "k", "a"); got != want {
		t.Errorf("trace %x, want %x", got, want)
	}
}

// A described robot whose controller is killed stops, and the others continue.
func TestDescribedControllerIsKilled(t *testing.T) {
	g := serve(t, hall, func(c *webots.Config) { c.Controllers = 2 })
	a, k := g.control("a"), g.control("k")
	k.send(3600_000, k.drive(5, 5)...)
	a.do(50)
	if v := g.where("k").V; v < 0.1 {
		t.Fatalf("k drives with %g m/s", v)
	}
	if err := k.conn.Close(); err != nil {
		t.Fatal(err)
	}
	g.await("k to stop", func() bool { a.do(10); return g.where("k").V == 0 })
	again := g.control("k")
	again.send(10)
	a.do(10)
	if err := again.take(); err != nil {
		t.Error(err)
	}
}

// A world of described robots alone is one for controllers, too; and the only one needs no name.
func TestDescribedRobotAlone(t *testing.T) {
	g := serve(t, "name: x\nrobots: [{name: only, model: turtlebot3_burger, position: [0, 0]}]", nil)
	conn, answer := g.meet("CTR")
	if answer != wire.Connected {
		t.Fatal(answer)
	}
	p := &peer{t: t, conn: conn, release: wire.Latest()}
	p.begin()
	p.do(0, p.part("", wire.RobotURDF, 1, 0, 0))
	if text := string(p.other[1:]); p.other[0] != wire.RobotURDF || !strings.Contains(text, `<robot name="turtlebot3_burger">`) || !strings.HasSuffix(text, "\x00") {
		t.Errorf("URDF: %.80q", text)
	}
	p.do(32, p.part("", wire.RobotBatteryPeriod, 32, 0))
	near(t, "energy", p.energy, 71928, 1)
	if url := g.server.URL("only"); !strings.HasPrefix(url, "tcp://") || g.sim.Elapsed() > time.Second {
		t.Error(url)
	}
}
