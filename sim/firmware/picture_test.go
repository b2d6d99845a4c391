// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
)

var update = flag.Bool("update", false, "draw the picture of the README anew")

// TestPictureOfTheREADME: it is what the camera of the world "camera" shows, with the other robot's LEDs lit.
func TestPictureOfTheREADME(t *testing.T) {
	const file = "../../docs/images/camera.png"
	g := newRig(t, "camera", sim.Options{})
	other, err := sim.RobotOf[*sim.Firmware](g.sim, "epuck2")
	if err != nil {
		t.Fatal(err)
	}
	cmd, reply := make([]byte, 20), make([]byte, 47)
	cmd[5] = 0x01                        // LED 0, front
	cmd[9], cmd[13], cmd[17] = 0, 0, 100 // blue, front left
	cmd[19] = xor(cmd[:19])
	g.drive(0, 0, 600e6) // until the processors run
	if err := other.Bus().Tx(0x1F, cmd, reply); err != nil {
		t.Fatal(err)
	}
	p := g.robot.Picture(nil)
	m := image.NewYCbCr(image.Rect(0, 0, 640, 480), image.YCbCrSubsampleRatio422)
	for i := 0; i < len(p); i += 4 {
		m.Y[i/2], m.Y[i/2+1], m.Cb[i/4], m.Cr[i/4] = p[i], p[i+2], p[i+1], p[i+3]
	}
	var want bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&want, m); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := png.Decode(bytes.NewReader(have))
	if err != nil {
		t.Fatal(err)
	}
	for y := range 480 {
		for x := range 640 {
			r, gr, b, _ := m.At(x, y).RGBA()
			if r2, g2, b2, _ := shown.At(x, y).RGBA(); r>>8 != r2>>8 || gr>>8 != g2>>8 || b>>8 != b2>>8 {
				t.Fatalf("%s is not what the camera shows at (%d, %d): go test ./sim/firmware -run TestPictureOfTheREADME -update", file, x, y)
			}
		}
	}
}
