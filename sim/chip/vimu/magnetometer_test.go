// SPDX-License-Identifier: Apache-2.0

package vimu_test

import (
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
)

// TestBypass: the AK8963 is on the bus only through the switch, and not where the auxiliary bus is broken.
func TestBypass(t *testing.T) {
	g := newRig(t, vimu.Config{})
	m := g.Magnetometer()
	if m.Ready() {
		t.Error("on the bus without bypass")
	}
	g.w(0x37, 0x02)
	if !m.Ready() || read(m, 0x00, 1)[0] != 0x48 {
		t.Error("not on the bus")
	}
	g.w(0x6A, 0x20) // the master has the bus
	if m.Ready() {
		t.Error("on the bus in addition to the master")
	}
	g = newRig(t, vimu.Config{AuxBroken: true})
	g.w(0x37, 0x02)
	if g.Magnetometer().Ready() {
		t.Error("on a broken bus")
	}
	for _, model := range []vimu.Model{vimu.MPU6500, vimu.ICM20948} {
		if newRig(t, vimu.Config{Model: model}).Magnetometer() != nil {
			t.Errorf("%v has one", model)
		}
	}
}

// TestModes: nothing is measured in power-down, sensitivity shows in fuse mode only, and modes change by way of
// power-down.
func TestModes(t *testing.T) {
	g := newRig(t, vimu.Config{})
	g.w(0x37, 0x02)
	m := g.Magnetometer()
	g.wait(200)
	if read(m, 0x02, 1)[0] != 0 || slices.Max(read(m, 0x10, 3)) != 0 {
		t.Error("measures, or returns its sensitivity, in power-down")
	}
	write(m, 0x0A, 0x0F)
	if asa := read(m, 0x10, 3); slices.Min(asa) < 160 {
		t.Errorf("sensitivity % d", asa)
	}
	write(m, 0x0A, 0x16)
	g.wait(200)
	if read(m, 0x02, 1)[0] != 0 {
		t.Error("left fuse mode without power-down")
	}
	write(m, 0x0A, 0x00)
	write(m, 0x0A, 0x12)
	g.wait(100)
	if read(m, 0x02, 1)[0] != 0 {
		t.Error("too early at 8 Hz")
	}
	g.wait(50)
	if read(m, 0x02, 1)[0] != 1 {
		t.Error("not measured at 8 Hz")
	}
	write(m, 0x0B, 0x01)
	if read(m, 0x0A, 1)[0] != 0 {
		t.Error("no reset")
	}
	if m.Receive(nil) != 0 || read(m, 0x60, 1)[0] != 0 {
		t.Error("a probe, or a register that is not there")
	}
	m.Disturbed()
}

// TestHold: data do not change between the reading of x and that of ST2.
func TestHold(t *testing.T) {
	g := newRig(t, vimu.Config{Perfect: true})
	g.w(0x37, 0x02)
	m := g.Magnetometer()
	write(m, 0x0A, 0x16)
	g.wait(20)
	x := little(m, 0x03, 3)
	// The magnetometer's x is the chip's y, the robot's −x; its y the chip's x, the robot's y; its z is −z.
	if want := []int16{-100, 0, 200}; !close1(x, want) {
		t.Errorf("%d, want %d", x, want)
	}
	g.body.Field = [3]float64{}
	g.wait(50)
	if !slices.Equal(x, little(m, 0x03, 3)) {
		t.Error("data changed before ST2 was read")
	}
	read(m, 0x09, 1)
	g.wait(50)
	if got := little(m, 0x03, 3); !close1(got, []int16{0, 0, 0}) {
		t.Errorf("data held after ST2 was read: %d", got)
	}
	g.body.Field = [3]float64{4e-3, 2e-3, 0}
	read(m, 0x09, 1)
	g.wait(50)
	if st2 := read(m, 0x09, 1)[0]; st2 != 0x18 {
		t.Errorf("ST2 %#02x, want overflow and 16 bits", st2)
	}
}

// single lets the master of an ICM-20948 make one transaction and returns its status.
func single(g *rig, addr, reg byte, out ...byte) byte {
	g.w(0x7F, 0x30)
	if len(out) > 0 {
		g.w(0x16, out[0])
	}
	g.w(0x13, addr, reg, 0x80)
	g.w(0x7F, 0x00)
	g.wait(5)
	return g.r(0x17, 1)[0]
}

func TestMaster(t *testing.T) {
	g := newRig(t, vimu.Config{Model: vimu.ICM20948, Perfect: true})
	g.wakeICM()
	if st := single(g, 0x8C, 0x01); st != 0 {
		t.Errorf("a master that is off ends with %#02x", st)
	}
	g.w(0x03, 0x20)
	g.w(0x7F, 0x30)
	g.w(0x01, 0x17)
	g.w(0x7F, 0x00)
	if st := single(g, 0x8C, 0x01); st != 0x40 {
		t.Errorf("status %#02x", st)
	}
	if g.r(0x17, 1)[0] != 0 {
		t.Error("the status is not cleared by reading")
	}
	g.w(0x7F, 0x30)
	if id := g.r(0x17, 1)[0]; id != 0x09 {
		t.Errorf("identity %#02x", id)
	}
	if st := single(g, 0x8D, 0x01); st != 0x50 {
		t.Errorf("no chip at 0x0d: status %#02x", st)
	}
	if st := single(g, 0x0C, 0x31, 0x08); st != 0x40 {
		t.Errorf("status %#02x", st)
	}
	g.w(0x7F, 0x30)
	g.w(0x03, 0x8C, 0x10, 0x89)
	g.w(0x7F, 0x00)
	g.wait(30)
	ext := g.r(0x3B, 9)
	// y and z are the other way round; robot x 15 µT is chip y −15 µT.
	if got := little(g, 0x3C, 3); !close1(got, []int16{0, 100, 200}) {
		t.Errorf("% x: field %d", ext, got)
	}
	g.Inject(vimu.Faults{Unplugged: true})
	g.wait(30)
	if st := g.r(0x17, 1)[0]; st != 0x01 {
		t.Errorf("slave 0 gone: status %#02x", st)
	}
}

// TestMasterOfMPU: the master of an MPU-9250 reaches its AK8963, registers in one bank, once per sample.
func TestMasterOfMPU(t *testing.T) {
	g := newRig(t, vimu.Config{Perfect: true})
	g.w(0x19, 9, 3) // 100 Hz
	g.w(0x6A, 0x20)
	g.w(0x24, 0x1D)
	slv4 := func(addr, reg, out byte) (status, in byte) {
		g.w(0x31, addr, reg, out, 0x80)
		g.wait(5)
		if st := g.r(0x36, 1)[0]; st != 0 {
			t.Errorf("done before the next sample: %#02x", st)
		}
		g.wait(10)
		return g.r(0x36, 1)[0], g.r(0x35, 1)[0]
	}
	if st, id := slv4(0x8C, 0x00, 0); st != 0x40 || id != 0x48 {
		t.Errorf("status %#02x, identity %#02x", st, id)
	}
	if st, _ := slv4(0x8D, 0x00, 0); st != 0x50 {
		t.Errorf("no chip at 0x0d: status %#02x", st)
	}
	slv4(0x0C, 0x0A, 0x16)
	g.w(0x25, 0x8C, 0x02, 0x88)
	g.wait(50)
	b := g.r(0x3B, 22)
	if x := int16(uint16(b[15]) | uint16(b[16])<<8); x != -100 || b[21] != 0x10 {
		t.Errorf("% x: x %d", b, x)
	}
	g = newRig(t, vimu.Config{Model: vimu.MPU6500}) // has none
	g.w(0x6B, 0x01)
	g.w(0x6A, 0x20)
	g.w(0x24, 0x1D)
	g.w(0x25, 0x8C, 0x02, 0x88)
	g.w(0x31, 0x8C, 0, 0, 0x80)
	g.wait(50)
	if st := g.r(0x36, 1)[0]; st&0x50 != 0x50 {
		t.Errorf("MPU-6500: status %#02x", st)
	}
}

// TestAK09916Rates: each continuous mode has its rate.
func TestAK09916Rates(t *testing.T) {
	for mode, want := range map[byte]int{0x02: 10, 0x04: 20, 0x06: 50, 0x08: 100, 0x00: 0, 0x01: 0} {
		g := newRig(t, vimu.Config{Model: vimu.ICM20948})
		g.wakeICM()
		g.w(0x03, 0x20)
		g.w(0x7F, 0x30)
		g.w(0x01, 0x17)
		single(g, 0x0C, 0x31, mode)
		g.wait(7) // ST1 is asked for after a measurement, ST2 before the next
		n := 0
		for range 200 {
			st := single(g, 0x8C, 0x10)
			g.w(0x7F, 0x30)
			n += int(g.r(0x17, 1)[0] & 1)
			if st != 0x40 {
				t.Fatalf("status %#02x", st)
			}
			single(g, 0x8C, 0x18)
		}
		seconds := 2.0
		if want > 50 {
			want = 100 // asked for every 10 ms
		}
		if got := float64(n) / seconds; got < float64(want)-2 || got > float64(want)+2 {
			t.Errorf("mode %#02x: %.1f measurements/s, want %d", mode, got, want)
		}
	}
}
