// SPDX-License-Identifier: Apache-2.0

package packet_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// unhex decodes hexadecimal bytes separated by spaces.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	p, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The bytes are from Asercom2.c and the first commands of public clients, not from this program.
func TestCommandBytes(t *testing.T) {
	for name, c := range map[string]struct {
		command packet.Command
		bytes   string
	}{
		// unifr_api_epuck, __init_command: sensors only.
		"sensors": {packet.Command{Request: packet.RequestSensors}, "80 02 00 0000 0000 00 000000 000000 000000 000000 00"},
		// epuck_driver_cpp, main: calibrate at rest.
		"calibrate": {packet.Command{Request: packet.RequestSensors, Settings: packet.CalibrateIR},
			"80 02 01 0000 0000 00 000000 000000 000000 000000 00"},
		"all": {packet.Command{
			Request: packet.RequestPicture | packet.RequestSensors, Settings: packet.ObstacleAvoidance,
			Left: 300, Right: -301, LEDs: packet.LED1 | packet.LED7 | packet.LEDFront,
			RGB:   [4]packet.RGB{{R: 1, G: 2, B: 3}, {R: 4, G: 5, B: 6}, {R: 7, G: 8, B: 9}, {R: 10, G: 11, B: 100}},
			Sound: packet.SoundStop,
		}, "80 03 02 2c01 d3fe 29 010203 040506 070809 0a0b64 20"},
	} {
		var p [packet.CommandSize]byte
		c.command.Put(&p)
		if want := unhex(t, c.bytes); !bytes.Equal(p[:], want) {
			t.Errorf("%s: % x, want % x", name, p, want)
		}
		if got, err := packet.DecodeCommand(p[:]); err != nil || got != c.command {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// golden is a packet whose fields all differ, laid out by hand after Asercom2.c, command 0x8, and uart_e-puck2.c.
const golden = `0100 feff 0003 00004044 0000b442 0000003f 0a00 f6ff c800 0000a041 0000a0c1 00002042 e2
	0100 0200 0300 0400 0500 0600 0700 ff0f 1100 1200 1300 1400 1500 1600 1700 0010
	6f00 2100 2200 2300 2400 3412 cdab d50c 01 01 08 2a 0f e803 2c01 ff03 0b00 0c00 0d00 01 00`

func goldenSensors() packet.Sensors {
	return packet.Sensors{
		Accel: [3]int16{1, -2, packet.OneG}, Acceleration: 768, Orientation: 90, Inclination: 0.5,
		Gyro: [3]int16{10, -10, 200}, Field: [3]float32{20, -20, 40}, Temperature: -30,
		Proximity: [8]uint16{1, 2, 3, 4, 5, 6, 7, 4095}, Ambient: [8]uint16{17, 18, 19, 20, 21, 22, 23, 4096},
		Distance: 111, Microphone: [4]uint16{33, 34, 35, 36}, LeftSteps: 0x1234, RightSteps: -0x5433, Battery: 3285,
		Card: 1, RemoteToggle: 1, RemoteAddress: 8, RemoteData: 42, Selector: packet.Selector,
		Ground: [3]uint16{1000, 300, 1023}, GroundAmbient: [3]uint16{11, 12, 13}, Button: 1,
	}
}

func TestSensorBytes(t *testing.T) {
	want, s := unhex(t, golden), goldenSensors()
	var p [packet.SensorsSize]byte
	s.Put(&p)
	if !bytes.Equal(p[:], want) {
		t.Errorf("% x\nwant % x", p, want)
	}
	if got, err := packet.DecodeSensors(want); err != nil || got != s {
		t.Errorf("%+v, %v", got, err)
	}
	if v := s.Volts(); math.Abs(v-4.01) > 0.001 {
		t.Errorf("%v V of 3285 counts, want 3285 × 3 V × 5/3 / 4096", v)
	}
}

func TestRefusals(t *testing.T) {
	for _, n := range []int{0, 20, 22} {
		if _, err := packet.DecodeCommand(make([]byte, n)); !errors.Is(err, packet.ErrLength) {
			t.Errorf("a command of %d bytes: %v", n, err)
		}
	}
	if _, err := packet.DecodeCommand(make([]byte, packet.CommandSize)); !errors.Is(err, packet.ErrID) {
		t.Errorf("a command of zeros: %v", err)
	}
	for _, n := range []int{0, 103, 105} {
		if _, err := packet.DecodeSensors(make([]byte, n)); !errors.Is(err, packet.ErrLength) {
			t.Errorf("sensors of %d bytes: %v", n, err)
		}
	}
	for k := range 256 {
		n, err := packet.Kind(k).Size()
		want, known := map[int]int{1: 38400, 2: 104, 3: 0}[k]
		if n != want || known == errors.Is(err, packet.ErrKind) {
			t.Errorf("kind %d: %d bytes, %v", k, n, err)
		}
	}
}

func TestAnyBytesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Byte(), packet.SensorsSize, packet.SensorsSize).Draw(t, "sensors")
		s, err := packet.DecodeSensors(p)
		var back [packet.SensorsSize]byte
		s.Put(&back)
		if err != nil || !bytes.Equal(p, withQuiet(back[:], p)) {
			t.Fatalf("% x became % x, %v", p, back, err)
		}
		c := rapid.SliceOfN(rapid.Byte(), packet.CommandSize, packet.CommandSize).Draw(t, "command")
		c[0] = packet.CommandID
		command, err := packet.DecodeCommand(c)
		var same [packet.CommandSize]byte
		command.Put(&same)
		if err != nil || !bytes.Equal(c, same[:]) {
			t.Fatalf("% x became % x, %v", c, same, err)
		}
	})
}

// withQuiet accepts the quiet bit, which some processors set when they copy a signalling NaN.
func withQuiet(back, p []byte) []byte {
	for _, at := range []int{6, 10, 14, 24, 28, 32} {
		if p[at+3]&0x7F == 0x7F && p[at+2]&0x80 != 0 {
			back[at+2] = back[at+2]&^0x40 | p[at+2]&0x40
		}
	}
	return back
}

func TestColours(t *testing.T) {
	for _, c := range [][3]uint8{{0, 0, 0}, {255, 255, 255}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}} {
		if r, g, b := packet.RGB888(packet.RGB565(c[0], c[1], c[2])); [3]uint8{r, g, b} != c {
			t.Errorf("%v became %d %d %d", c, r, g, b)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Byte().Draw(t, "first"), rapid.Byte().Draw(t, "second")
		if x, y := packet.RGB565(packet.RGB888(a, b)); x != a || y != b {
			t.Fatalf("%#02x %#02x became %#02x %#02x", a, b, x, y)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(unhex(f, golden))
	f.Add([]byte{packet.CommandID, 20: 0})
	f.Fuzz(func(t *testing.T, p []byte) {
		if c, err := packet.DecodeCommand(p); err == nil {
			var back [packet.CommandSize]byte
			if c.Put(&back); !bytes.Equal(back[:], p) {
				t.Errorf("% x became % x", p, back)
			}
		}
		if s, err := packet.DecodeSensors(p); err == nil {
			var back [packet.SensorsSize]byte
			if s.Put(&back); !bytes.Equal(withQuiet(back[:], p), p) {
				t.Errorf("% x became % x", p, back)
			}
		}
	})
}

func Example() {
	command := packet.Command{Request: packet.RequestSensors, Left: 300, Right: 300}
	var p [packet.CommandSize]byte
	command.Put(&p)
	fmt.Fprintf(os.Stdout, "% x\n", p)
	// Output: 80 02 00 2c 01 2c 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
}
