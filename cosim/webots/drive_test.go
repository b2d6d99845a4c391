// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// A controller sees what Webots' E-puck.proto has, with the numbers of its release.
func TestDevices(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("a")
	if p.step != 32 || p.now != 0 || len(p.names) != 40 {
		t.Errorf("basic step %g ms, time %g s, %d devices", p.step, p.now, len(p.names))
	}
	for name, kind := range map[string]wire.Kind{
		"left wheel motor": wire.Motor, "right wheel sensor": wire.PositionSensor, "ps0": wire.DistanceSensor, "ps7": wire.DistanceSensor,
		"ls3": wire.LightSensor, "tof": wire.DistanceSensor, "gs2": wire.DistanceSensor, "accelerometer": wire.Accelerometer,
		"gyro": wire.Gyro, "camera": wire.Camera, "led0": wire.LED, "led9": wire.LED, "receiver": wire.Receiver,
		"emitter": wire.Emitter, "speaker": wire.Speaker,
	} {
		if p.kinds[name] != wire.Latest().Number(kind) {
			t.Errorf("%s is %d", name, p.kinds[name])
		}
	}
}

// What is measured comes at the end of its period, as in Webots.
func TestSensors(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("a")
	on := []wire.Part{p.part("", wire.RobotBatteryPeriod, 64, 0)}
	for _, name := range []string{"ps0", "ps4", "ls0", "tof", "gs1", "accelerometer", "gyro", "left wheel sensor"} {
		on = append(on, p.period(name, 64))
	}
	p.do(32, on...)
	if p.now != 0.032 || len(p.values) != 0 || p.energy != 0 {
		t.Fatalf("after %g s: %v", p.now, p.values)
	}
	p.do(32)
	if p.now != 0.064 || len(p.values) != 8 {
		t.Fatalf("after %g s: %v", p.now, p.values)
	}
	for name, want := range map[string][2]float64{
		"ps0": {40, 160}, "ps4": {0, 0}, "ls0": {3000, 4095}, "tof": {60, 90}, "gs1": {495, 505}, "left wheel sensor": {0, 0},
	} {
		if v := p.value(name); !(v >= want[0] && v <= want[1]) {
			t.Errorf("%s reads %g, want %v", name, v, want)
		}
	}
	if a, w := p.values[p.names["accelerometer"]], p.values[p.names["gyro"]]; math.Abs(a[2]-9.81) > 0.1 || w[2] != 0 {
		t.Errorf("acceleration %v, rotation %v", a, w)
	}
	if p.energy < 20e3 || p.energy > 24e3 {
		t.Errorf("%g J in the battery", p.energy)
	}
	clear(p.values)
	p.do(32, p.period("tof", 0))
	p.do(32)
	if len(p.values) != 7 {
		t.Errorf("one is off: %v", p.values)
	}
}

// Motors turn with a speed, up to an angle, and not at all without torque.
func TestMotors(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("b")
	p.do(1000, append(p.drive(2, 100), p.period("left wheel sensor", 1000), p.period("right wheel sensor", 1000))...)
	left, right, _, _ := g.truth("b")
	if math.Abs(left-2) > 0.01 || math.Abs(right-6.95) > 0.05 {
		t.Errorf("speeds %g and %g rad/s", left, right)
	}
	if l, r := p.value("left wheel sensor"), p.value("right wheel sensor"); math.Abs(l-2) > 0.03 || math.Abs(r-6.95) > 0.1 {
		t.Errorf("angles %g and %g rad", l, r)
	}
	p.do(3000, p.motor("left wheel motor", wire.MotorPosition, 1), p.motor("right wheel motor", wire.MotorAvailableForce, 0))
	if left, right, _, _ := g.truth("b"); left != 0 || right != 0 {
		t.Errorf("at the end %g and %g rad/s", left, right)
	}
	if l := p.value("left wheel sensor"); math.Abs(l-1) > 0.01 {
		t.Errorf("the wheel is at %g rad, not 1", l)
	}
	p.do(100, p.motor("right wheel motor", wire.MotorAvailableForce, 10), p.motor("left wheel motor", wire.MotorForce, 1))
	if left, right, _, _ := g.truth("b"); left != 0 || right < 6 {
		t.Errorf("with torques %g and %g rad/s", left, right)
	}
	p.do(0, p.part("left wheel motor", wire.MotorFeedback, 0, 64, 0))
	if !math.IsNaN(p.value("left wheel motor")) {
		t.Error("there is a torque")
	}
	node := byte(wire.Latest().Number(wire.PositionSensor))
	p.do(0, p.part("left wheel motor", wire.MotorAssociated, 0, node, 0), p.part("right wheel sensor", wire.PositionAssociated, node-1, 0),
		p.part("right wheel motor", wire.MotorAssociated, 0, byte(wire.Latest().Number(wire.Motor)), 0))
	if p.value("left wheel motor") != float64(p.names["left wheel sensor"]) || p.value("right wheel sensor") != 0 ||
		p.value("right wheel motor") != float64(p.names["right wheel motor"]) {
		t.Errorf("what belongs together: %v", p.values)
	}
}

// A wheel comes to its angle from everywhere, and the motor's gain and speed are kept.
func TestEveryAngle(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("b")
	p.do(10, p.period("left wheel sensor", 10))
	for i, angle := range []float64{0.5, -3, 0, 0.004, 7.3, 7.3063} {
		pid := wire.Part{Tag: p.names["left wheel motor"], Body: append([]byte{wire.MotorPID, 0}, make([]byte, 24)...)}
		copy(pid.Body[2:], p.motor("left wheel motor", 0, float64(5+i)).Body[2:])
		p.do(6000, pid, p.motor("left wheel motor", wire.MotorPosition, angle))
		p.do(10)
		if got := p.value("left wheel sensor"); math.Abs(got-angle) > 0.0063 {
			t.Errorf("the wheel is at %g rad, not %g", got, angle)
		}
		if left, _, _, _ := g.truth("b"); left != 0 {
			t.Errorf("at %g rad it turns with %g rad/s", angle, left)
		}
	}
}

// LEDs show their colours.
func TestLEDs(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("a")
	p.do(32, p.part("led0", wire.LEDSet, 1, 0, 0, 0), p.part("led4", wire.LEDSet, 7, 0, 0, 0), p.part("led3", wire.LEDSet, 0, 0x80, 0xFF, 0),
		p.part("led8", wire.LEDSet, 1, 0, 0, 0))
	l := sim.RobotsOf[*sim.Functional](g.sim)[0].GroundTruth().LEDs
	if l.Red != [4]bool{true, false, true} || l.RGB[1] != [3]uint8{100, 50, 0} || l.RGB[0] != [3]uint8{} {
		t.Errorf("LEDs %v", l)
	}
}

// What a world does not have is answered as far as the protocol has an answer.
func TestAnswersWithoutAThing(t *testing.T) {
	g := serve(t, arena, nil)
	p := g.control("a")
	sound := append([]byte{wire.SpeakerPlay, 1, 0, 0, 0, 6, 0}, "a.wav\x00"...)
	sound = append(append(sound, make([]byte, 24+2+1)...), 0, 0, 0, 0)
	sound = append(sound, append([]byte{wire.SpeakerSpeak, 3, 0}, "hi\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)...)
	p.do(32, p.part("speaker", sound...), p.part("", wire.RobotKeyboardPeriod, 32, 0, wire.RobotRemoteOn, wire.RobotPin, 1,
		wire.RobotWindowMessage, 1, 0, 0, 0, 'x', wire.RobotSetData, 2, 0, 'd', 0,
		wire.RobotConsole, 2, 3, 0, 0, 0, 'o', 'h', 0), p.part("camera", append([]byte{wire.CameraFieldOfView}, make([]byte, 8)...)...),
		p.part("camera", wire.CameraRecognitionPeriod, 32, 0), p.motor("left wheel motor", wire.MotorAcceleration, 3))
	if len(p.over) != 2 || p.over[0] != "a.wav" || p.over[1] != "speech" {
		t.Errorf("what is over: %q", p.over)
	}
	p.do(0, p.part("", wire.RobotAwaitInput, 1, 0, 0, 0, 0, 0, 0, 0))
	if string(p.other) != "\x50\x00\x00\x00\x00" {
		t.Errorf("an event: %x", p.other)
	}
	p.do(0, p.part("", wire.RobotURDF, 3, 0, 'a', '/', 0))
	if text := string(p.other[1:]); p.other[0] != wire.RobotURDF || !strings.Contains(text, `<robot name="epuck2">`) ||
		!strings.Contains(text, `<link name="a/base_link"`) || strings.Contains(text, `link="base_link"`) {
		t.Errorf("URDF: %.300q", text)
	}
}
