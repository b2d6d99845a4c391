// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// answering lists the addresses that answer on a robot's two buses.
func answering(r *sim.Firmware) (bus, board []uint16) {
	for addr := range uint16(0x80) {
		if r.Bus().Tx(addr, nil, nil) == nil {
			bus = append(bus, addr)
		}
		if r.BoardBus().Tx(addr, nil, nil) == nil {
			board = append(board, addr)
		}
	}
	return bus, board
}

// Each part answers at its real address, and only if the robot carries it.
func TestAddresses(t *testing.T) {
	for part, c := range chips() {
		on := newRig(t, "robots: [{name: r, imu: none, camera: none, without: [tof, ground, leds, battery]}]", sim.Options{})
		if err := on.robot.AddPart(part); err != nil {
			t.Fatal(err)
		}
		bus, board := answering(on.robot)
		if want := append(slices.Clone(c.bus), 0x1F); !sameSet(bus, want) || !sameSet(board, c.board) {
			t.Errorf("with %s: %#x and %#x answer", part, bus, board)
		}
		if p := on.robot.Parts(); !slices.Equal(p, []sim.Part{part}) {
			t.Errorf("with %s the robot carries %v", part, p)
		}
	}
}

// chips are the addresses of each part.
func chips() map[sim.Part]struct{ bus, board []uint16 } {
	return map[sim.Part]struct{ bus, board []uint16 }{
		world.ToF:    {bus: []uint16{0x29}},
		world.Ground: {bus: []uint16{0x60}},
		world.IMU:    {bus: []uint16{0x68}},
		world.Camera: {bus: []uint16{0x21}},
		world.LEDs:   {board: []uint16{0x1C}},

		world.Magnetometer: {board: []uint16{0x10}},
	}
}

func sameSet(a, b []uint16) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// Each camera sensor sits at its address and must be set up before its picture
// can be used.
func TestCameraSensors(t *testing.T) {
	for model, addr := range map[string]uint16{"ov7670": 0x21, "po8030": 0x6E, "po6030": 0x6E, "po3030": 0x6E} {
		g := newRig(t, "robots: [{name: r, camera: "+model+"}]", sim.Options{})
		if err := g.robot.Bus().Tx(addr, nil, nil); err != nil {
			t.Errorf("%s: %v", model, err)
		}
		if out, there := g.robot.CameraOutput(); !there || out.Usable() {
			t.Errorf("%s at power-on: %+v, %v", model, out, there)
		}
		if err := g.robot.RemovePart(world.Camera); err != nil {
			t.Fatal(err)
		}
		if _, there := g.robot.CameraOutput(); there {
			t.Errorf("%s: gives a picture although it is off", model)
		}
	}
}

// SCCB knows no repeated start, also through the world's own wrapping.
func TestCameraRefusesRepeatedStart(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	id := make([]byte, 1)
	if err := g.robot.Bus().Tx(0x21, []byte{0x0A}, id); !errors.Is(err, system.EREMOTEIO) {
		t.Errorf("in one: %v", err)
	}
	if err := g.robot.Bus().Tx(0x21, []byte{0x0A}, nil); err != nil {
		t.Fatal(err)
	}
	if err := g.robot.Bus().Tx(0x21, nil, id); err != nil || id[0] != 0x76 {
		t.Errorf("apart: %v, %#x", err, id)
	}
}

// Parts of a world file, and overridden as from a command line.
func TestEquipment(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots: [{name: a, without: [leds]}, {name: b, position: [1, 0], camera: none}]"))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := sim.ParseParts("ground,tof")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Refit(sim.Equipment{Without: parts}); err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]sim.Part{
		{world.IMU, world.Camera, world.BatteryMonitor}, {world.IMU, world.LEDs, world.BatteryMonitor},
	} {
		if got := sim.RobotsOf[*sim.Firmware](s)[i].Parts(); !slices.Equal(got, want) {
			t.Errorf("robot %d carries %v, want %v", i, got, want)
		}
	}
}

// A part comes and goes while others work; put back it has lost its power.
func TestPartsComeAndGo(t *testing.T) {
	g := newRig(t, "empty", sim.Options{})
	f := g.tof()
	f.read()
	if err := g.robot.RemovePart(world.ToF); err != nil {
		t.Fatal(err)
	}
	if err := g.robot.RemovePart(world.ToF); err != nil {
		t.Error("taking off what is off:", err)
	}
	if err := g.robot.Bus().Tx(0x29, []byte{0xC0}, make([]byte, 1)); !errors.Is(err, system.EREMOTEIO) {
		t.Errorf("taken off: %v", err)
	}
	g.exchange(0, 0)
	if err := g.robot.AddPart(world.ToF); err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 1)
	if err := g.robot.Bus().Tx(0x29, []byte{0xC0}, id); err != nil || id[0] != 0xEE {
		t.Errorf("put back: %v, %#x", err, id)
	}
	if err := g.robot.Bus().Tx(0x29, []byte{0x0A}, id); err != nil || id[0] == 4 {
		t.Errorf("put back it still is set up: %v, %#x", err, id)
	}
	found := false
	for range 300 { // the driver finds it and sets it up anew
		g.clock.Sleep(20 * time.Millisecond)
		fresh, _ := f.dev.Poll(g.clock.Now())
		found = found || fresh
	}
	if !found {
		t.Error("the sensor gives no readings after it was put back")
	}
	if err := g.robot.AddPart("wheels"); !errors.Is(err, sim.ErrNoPart) {
		t.Errorf("wheels: %v", err)
	}
}

// One chip fails and the others do not notice.
func TestFaultsOfOneChip(t *testing.T) {
	f := newFloorRig(t, "line", sim.Options{})
	if err := f.robot.Bus().FaultsAt(0x29).Hold(vbus.Fault{Kind: vbus.Timeout}); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		f.exchange(0, 0)
		f.read()
		if err := f.robot.Bus().Tx(0x29, []byte{0xC0}, make([]byte, 1)); !errors.Is(err, syscall.ETIMEDOUT) {
			t.Fatalf("the dead chip: %v", err)
		}
	}
}

func ExampleFirmware_RemovePart() {
	w, _ := sim.LoadWorld("plane")
	s, _ := sim.New(w, sim.Options{})
	robot := sim.RobotsOf[*sim.Firmware](s)[0]
	_ = robot.RemovePart(world.Ground)
	fmt.Println(robot.Bus().Tx(0x60, []byte{0}, make([]byte, 6)))
	// Output: sim:epuck: transfer with 0x60: remote I/O error
}
