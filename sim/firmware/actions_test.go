// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestButtonSelectorRemoteAndSound(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	g.exchange(0, 0)
	if g.reply[40] != 10 || g.reply[45] != 0 {
		t.Errorf("at first: selector byte %#x, remote %d", g.reply[40], g.reply[45])
	}
	g.robot.PressButton(true)
	if err := errors.Join(g.robot.TurnSelector(7), g.robot.SendRemote(77)); err != nil {
		t.Fatal(err)
	}
	g.robot.SetSound(3000)
	g.clock.Sleep(30 * time.Millisecond)
	g.exchange(0, 0)
	if g.reply[40] != 0x17 || g.reply[45] != 0x80|13 || g.word(32) < 4000 {
		t.Errorf("selector byte %#x, remote %d, microphone %d", g.reply[40], g.reply[45], g.word(32))
	}
	if s := g.robot.GroundTruth().Selector; s != 7 {
		t.Errorf("selector is really at %d", s)
	}
	g.robot.PressButton(false)
	g.exchange(0, 0)
	if g.reply[40] != 0x07 {
		t.Errorf("released: %#x", g.reply[40])
	}
}

func TestBadActionsAreRefused(t *testing.T) {
	g := newRig(t, "arena", sim.Options{})
	for what, err := range map[string]error{
		"selector 16":  g.robot.TurnSelector(16),
		"selector −1":  g.robot.TurnSelector(-1),
		"remote 128":   g.robot.SendRemote(128),
		"remote −1":    g.robot.SendRemote(-1),
		"NaN pose":     g.robot.Place(sim.Pose{X: math.NaN()}),
		"far away":     g.robot.Place(sim.Pose{Y: 1e9}),
		"infinite yaw": g.sim.Move("post", sim.Pose{Theta: math.Inf(1)}),
	} {
		if !errors.Is(err, sim.ErrRange) {
			t.Errorf("%s: %v, want ErrRange", what, err)
		}
	}
	for what, err := range map[string]error{
		"into the post":     g.robot.Place(sim.Pose{X: -0.22, Y: 0.26}),
		"out of the arena":  g.robot.Place(sim.Pose{X: 0.6}),
		"post on the robot": g.sim.Move("post", sim.Pose{X: 0.05}),
	} {
		if !errors.Is(err, sim.ErrOccupied) {
			t.Errorf("%s: %v, want ErrOccupied", what, err)
		}
	}
	if err := g.sim.Move("chair", sim.Pose{}); !errors.Is(err, sim.ErrNoThing) {
		t.Errorf("unknown thing: %v", err)
	}
	if p := g.robot.Pose(); p != (sim.Pose{}) {
		t.Errorf("the robot moved to %v", p)
	}
	g.drive(500, 500, 2*time.Second)
	if x := g.robot.Pose().X; x < 0.1 {
		t.Errorf("the post is in the way at x = %v", x)
	}
}

// A robot in the air spins its wheels and stays; put down it drives on.
func TestPickUpAndPlace(t *testing.T) {
	g := newRig(t, "empty", sim.Options{})
	g.drive(500, 500, time.Second)
	g.robot.PickUp()
	before := g.robot.GroundTruth()
	g.clock.Sleep(time.Second)
	after := g.robot.GroundTruth()
	if after.Pose != before.Pose || !after.InAir || after.V != 0 {
		t.Errorf("in the air: %+v", after)
	}
	near(t, "wheel turned in the air", after.LeftWheel-before.LeftWheel, 500*step/0.02, 0.01)
	if err := g.robot.Place(sim.Pose{X: -0.5, Y: 0.5, Theta: math.Pi / 2}); err != nil {
		t.Fatal(err)
	}
	g.clock.Sleep(time.Second)
	truth := g.robot.GroundTruth()
	near(t, "x", truth.Pose.X, -0.5, 1e-12)
	near(t, "y", truth.Pose.Y, 0.5+500*step, 2*step)
	if truth.InAir {
		t.Error("still in the air")
	}
}

func TestOthersPassThroughARobotInTheAir(t *testing.T) {
	g := newRig(t, "robots: [{name: a}, {name: b, position: [0.2, 0]}]", sim.Options{})
	b, _ := sim.RobotOf[*sim.Firmware](g.sim, "b")
	if err := b.Place(sim.Pose{Y: 0.08}); err != nil {
		t.Fatal(err)
	}
	seen := func() float64 {
		g.clock.Sleep(20 * time.Millisecond)
		g.exchange(0, 0)
		return float64(g.word(10)) - g.robot.InfraredOffset(5)
	}
	if v := seen(); v < 500 {
		t.Errorf("the robot next to it is seen with %v counts", v)
	}
	b.PickUp()
	if v := seen(); v > 20 {
		t.Errorf("the robot in the air is seen with %v counts", v)
	}
	g.drive(1000, 1000, 3*time.Second)
	if truth := g.robot.GroundTruth(); truth.Collided || truth.Pose.X < 0.3 {
		t.Errorf("%+v", truth)
	}
	if err := b.Place(g.robot.Pose()); !errors.Is(err, sim.ErrOccupied) || !b.GroundTruth().InAir {
		t.Errorf("put down on the other: %v", err)
	}
}

// A moved obstacle is seen from the next infrared cycle on, not before.
func TestMoveIsSeenInTheNextCycle(t *testing.T) {
	g := newRig(t, "cylinders: [{name: can, position: [2, 2], radius: 0.03}]\nrobots: [{name: r}]", sim.Options{Quiet: true})
	g.clock.Sleep(104 * time.Millisecond)
	if err := g.sim.Move("can", sim.Pose{Y: 0.031 + 0.02 + 0.03}); err != nil {
		t.Fatal(err)
	}
	g.exchange(0, 0) // arrives at 105.89 ms
	if v := g.word(10); v > 80 {
		t.Errorf("ps5 reads %d in the old cycle", v)
	}
	g.exchange(0, 0) // arrives at 112.1 ms
	near(t, "ps5 without offset", float64(g.word(10))-g.robot.InfraredOffset(5), 383.84, 20)
}

func TestMoveLight(t *testing.T) {
	g := newRig(t, "lights: [{name: lamp, position: [0, -0.5, 0.033], intensity: 0.1}]\nrobots: [{name: r}]", sim.Options{Quiet: true})
	g.clock.Sleep(20 * time.Millisecond)
	g.exchange(0, 0)
	if right, left := g.word(16+4), g.word(16+10); right > 3000 || left != 4095 {
		t.Errorf("light on the right: ls2 %d, ls5 %d", right, left)
	}
	if err := g.sim.Move("lamp", sim.Pose{Y: 0.5}); err != nil {
		t.Fatal(err)
	}
	g.clock.Sleep(20 * time.Millisecond)
	g.exchange(0, 0)
	if right, left := g.word(16+4), g.word(16+10); left > 3000 || right != 4095 {
		t.Errorf("light on the left: ls2 %d, ls5 %d", right, left)
	}
}

func TestCalibrationThroughTheBus(t *testing.T) {
	g := newRig(t, "plane", sim.Options{Seed: 4})
	g.clock.Sleep(time.Second)
	g.exchange(0, 0)
	for i := range 8 {
		near(t, "reading before", float64(g.word(2*i)), g.robot.InfraredOffset(i), 8)
	}
	g.cmd[18] = 1
	g.exchange(0, 0)
	g.cmd[18] = 0
	if !g.robot.GroundTruth().Calibrating {
		t.Error("does not calibrate")
	}
	g.clock.Sleep(1100 * time.Millisecond)
	if g.robot.GroundTruth().Calibrating {
		t.Error("calibrates forever")
	}
	g.exchange(0, 0)
	for i := range 8 {
		near(t, "reading after", float64(g.word(2*i)), 0, 8)
	}
}

func TestInfraredOffsetOfNoSensor(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	if a, b := g.robot.InfraredOffset(-1), g.robot.InfraredOffset(8); a != 0 || b != 0 {
		t.Errorf("offsets %v, %v", a, b)
	}
}

func TestLEDsAndMelodyAreSeen(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	g.cmd[4], g.cmd[5], g.cmd[17] = 3, 0x0A, 77
	g.exchange(0, 0)
	truth := g.robot.GroundTruth()
	if truth.Melody != 3 || truth.LEDs.Red != [4]bool{false, true, false, true} || truth.LEDs.RGB[3][2] != 77 {
		t.Errorf("%+v", truth)
	}
}

func TestActionsAreLogged(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	g := newRig(t, "plane", sim.Options{Logger: logger})
	g.robot.PressButton(true)
	g.robot.PickUp()
	for _, want := range []string{"robot button", "value=true", "robot picked up", "robot=epuck"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
