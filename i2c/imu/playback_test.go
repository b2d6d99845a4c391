// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// record parses transactions: the address in hex, a colon, the bytes written, ">" and the bytes read.
func record(t testing.TB, text string) []i2ctest.IO {
	t.Helper()
	var ops []i2ctest.IO
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, f := range strings.Fields(line) {
			addr, rest, _ := strings.Cut(f, ":")
			w, r, _ := strings.Cut(rest, ">")
			var b [3][]byte
			for i, s := range []string{addr, w, r} {
				var err error
				if b[i], err = hex.DecodeString(s); err != nil {
					t.Fatal(f, err)
				}
			}
			ops = append(ops, i2ctest.IO{Addr: uint16(b[0][0]), W: b[1], R: b[2]})
		}
	}
	return ops
}

// mpuRecord is the bring-up of an MPU-9250 with an AK8963 with the default options and two readings, written by hand
// from the register maps: 100 Hz is a divider of 9, 45 Hz filter 3, ±500 °/s 08.
const mpuRecord = `
68:75>71
68:6B80 68:6B>80 68:6B>01 68:6B0100 68:6A00 68:3700 68:190903080003 68:6B>0100 68:19>0903080003
68:6A20 68:241D
68:318C000080 68:36>00 68:36>40 68:35>48                  # identity
68:310C0B0180 68:36>40 68:310C 68:310C0A0F80 68:36>40     # reset, fuse mode
68:258C1083 68:49>B0A080 68:49>B0A080                     # sensitivity
68:310C0A0080 68:36>40 68:310C 68:310C0A1680 68:36>40     # power-down, 100 Hz
68:258C0288 68:6A>20
68:3B>F0000800400007FF0010FFF000830164009CFF320010        # −0.25 g, 0.125 g, 1 g; 100, −100, 50 counts
68:3B>F0000800400007FF0010FFF00084`

// icmRecord is the same for an ICM-20948 with an AK09916: divider 10 (102 Hz), filter 3.
const icmRecord = `
69:75>00 69:7F00 69:00>EA
69:0680 69:06>C1 69:06>41 69:0601 69:05000100 69:0300 69:0F00
69:7F20 69:000A1B 69:10000A 69:1419 69:00>0A1B 69:10>000A 69:14>19 69:7F00 69:05>000100
69:7F00 69:0320 69:7F30 69:0117
69:138C0180 69:7F00 69:17>00 69:17>40 69:7F30 69:17>09 69:1601
69:130C3280 69:7F00 69:17>40 69:7F30 69:1608
69:130C3180 69:7F00 69:17>40 69:7F30
69:038C1089 69:7F00
69:2D>F000080040000010FFF0008307FF0164009CFF32000000  # with the magnetometer behind
69:2D>F000080040000010FFF0008407FF`

// play polls a device on a recorded bus until it has returned two samples.
func play(t *testing.T, addr uint16, text string) ([]Reading, []Field, *Dev) {
	t.Helper()
	bus := &i2ctest.Playback{Ops: record(t, text), DontPanic: true}
	d, err := New(bus, addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	var samples []Reading
	var fields []Field
	for i := range 60 {
		u, err := d.Poll(time.Unix(0, 0).Add(time.Duration(i) * 20 * time.Millisecond))
		if err != nil {
			t.Fatalf("after %d transactions: %v", bus.Count, err)
		}
		var s Reading
		var f Field
		if u.Sample && d.Sense(&s) == nil {
			samples = append(samples, s)
		}
		if u.Field && d.SenseField(&f) == nil {
			fields = append(fields, f)
		}
		if len(samples) == 2 {
			break
		}
	}
	if err := bus.Close(); err != nil {
		t.Fatal(err)
	}
	return samples, fields, d
}

func TestRecorded(t *testing.T) {
	for _, c := range []struct {
		addr  uint16
		text  string
		model Model
		field [3]float64
	}{
		// AK8963: its x is the chip's y, so the robot's x is −(its x); adjusted by 1.1875, 1.125, 1.
		{0x68, mpuRecord, MPU9250, [3]float64{-100 * 1.1875 * akTesla, -100 * 1.125 * akTesla, -50 * akTesla}},
		// AK09916: y and z point the opposite way.
		{0x69, icmRecord, ICM20948, [3]float64{-100 * ak9Tesla, 100 * ak9Tesla, -50 * ak9Tesla}},
	} {
		samples, fields, d := play(t, c.addr, c.text)
		near(t, "acceleration", samples[0].Accel, [3]float64{-0.125 * standardGravity, -0.25 * standardGravity, standardGravity}, 1e-9)
		lsb := 500 * radPerDegree / 32768
		near(t, "rate", samples[0].Gyro, [3]float64{16 * lsb, 16 * lsb, 131 * lsb}, 1e-9)
		near(t, "rate", samples[1].Gyro, [3]float64{16 * lsb, 16 * lsb, 132 * lsb}, 1e-9)
		if want := 0x7FF/333.87 + 21; samples[0].Temperature != want {
			t.Errorf("%g °C, want %g", samples[0].Temperature, want)
		}
		if len(fields) != 1 || d.model() != c.model || !strings.Contains(d.String(), c.model.String()) {
			t.Fatalf("%v: fields %v", d, fields)
		}
		near(t, "field", fields[0].Field, c.field, 1e-12)
	}
}

// TestRecordedVerify: a register with another value than was written ends the bring-up.
func TestRecordedVerify(t *testing.T) {
	for _, c := range []struct {
		addr     uint16
		text     string
		from, to string
	}{
		{0x68, mpuRecord, "68:19>0903080003", "68:19>0903000003"},
		{0x68, mpuRecord, "68:6B>0100", "68:6B>0107"},
		{0x69, icmRecord, "69:14>19", "69:14>01"},
		{0x69, icmRecord, "69:05>000100", "69:05>404100"},
	} {
		text := c.text[:strings.Index(c.text, c.from)] + c.to
		bus := &i2ctest.Playback{Ops: record(t, text), DontPanic: true}
		d, err := New(bus, c.addr, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			if _, err = d.Poll(time.Unix(0, int64(i)*20e6)); err != nil {
				break
			}
		}
		if !errors.Is(err, device.ErrVerify) {
			t.Errorf("%s: %v", c.to, err)
		}
		if err := bus.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRecordedLostDone: when the "done" answer is lost, the magnetometer is brought up again.
func TestRecordedLostDone(t *testing.T) {
	at := strings.Index(mpuRecord, "68:6A20")
	lost := "68:6A20 68:241D 68:318C000080 68:36>00 68:36>00 68:36>00 68:36>00 "
	samples, fields, d := play(t, 0x68, mpuRecord[:at]+lost+mpuRecord[at:])
	if len(samples) != 2 || len(fields) != 1 || !d.HasMagnetometer() {
		t.Errorf("%d samples, %d fields, %v", len(samples), len(fields), d)
	}
}
