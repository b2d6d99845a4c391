// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// A lidar's picture begins on the left; all around, it begins behind, and its middle is ahead. Behind it are the same
// distances as points, if they are asked for.
func TestLidar(t *testing.T) {
	g := serve(t, hall, nil)
	p := g.control("t") // 1 m over the lower wall, looking along x
	r := &reader{t, p.configs["LDS-01"]}
	r.int32()
	width, height, fov, nearest := r.uint16(), r.uint16(), r.float(), r.float()
	r.byte()
	if maxRange, layers := r.float(), r.uint16(); width != 360 || height != 1 || layers != 1 || nearest != 0.12 || maxRange != 3.5 {
		t.Errorf("%d × %d rays, %g to %g m", width, height, nearest, maxRange)
	}
	near(t, "field of view", fov, 2*math.Pi, 1e-3)
	r.floats(4)
	near(t, "rays", r.float(), 360, 0)
	p.do(32, p.period("LDS-01", 32))
	if len(p.image) != 360*(4+20) {
		t.Fatalf("%d bytes", len(p.image))
	}
	v := p.floats()
	near(t, "ahead", v[179], 2.032, 0.03)
	near(t, "to the right", v[179+90], 1, 0.03)
	near(t, "to the left", v[179-90], 3, 0.03)
	near(t, "behind", v[359], 1.968, 0.03)
	for _, x := range v[360:] {
		if x != 0 {
			t.Fatal("points that were not asked for")
		}
	}
	p.do(32, p.part("LDS-01", wire.LidarPoints))
	v = p.floats()
	point := func(ray int) []float64 { return v[360+5*ray : 360+5*ray+5] }
	near(t, "right, x", point(269)[0], 0, 1e-6)
	near(t, "right, y", point(269)[1], -v[269], 1e-6)
	near(t, "ahead, x", point(179)[0], v[179], 1e-6)
	near(t, "ahead, z", point(179)[2], 0, 1e-6)
	near(t, "ahead, time", point(179)[4], 0.064, 1e-6)
}

// Several layers go from above, and each ray of a part of a turn is in the middle of its step.
func TestLidarLayers(t *testing.T) {
	p := serve(t, hall, nil).control("p")
	r := &reader{t, p.configs["fan"]}
	r.next(8)
	near(t, "field of view", r.float(), 2.5, 1e-9)
	r.next(8 + 1 + 8)
	if layers := r.uint16(); layers != 3 {
		t.Errorf("%d layers", layers)
	}
	p.do(32, p.period("fan", 32), p.part("fan", wire.LidarPoints))
	layer := func(i int) int32 { return int32(binary.LittleEndian.Uint32(p.image[15*4+20*i+12:])) }
	v := p.floats()
	for i := range 15 {
		if layer(i) != int32(i/5) {
			t.Errorf("point %d is in layer %d", i, layer(i))
		}
		if math.IsInf(v[i], 1) {
			continue
		}
		x, y, z := v[15+5*i], v[15+5*i+1], v[15+5*i+2]
		near(t, "a point is as far as its ray", math.Sqrt(x*x+y*y+z*z), v[i], 1e-6)
		near(t, "height", z, v[i]*math.Sin(0.1*float64(1-i/5)), 1e-6)
		near(t, "direction", math.Atan2(y, x), 1-0.5*float64(i%5), 1e-6)
	}
}

// Controllers of this machine have a lidar's and a camera's pictures in files of their own, with the same in them as
// others have in their answers; frequency and point cloud that are switched back and forth do no harm.
func TestPicturesOfDescribedRobots(t *testing.T) {
	far := serve(t, hall, nil).control("p")
	dir := folder(t)
	var log journal
	g := serve(t, hall, func(c *webots.Config) { log.logged(c); c.Folder, c.User = dir, "tester" })
	local := g.controlLocally(dir, "p", wire.Latest())
	for device, size := range map[string]int{"fan": 15 * 24, "eye": 32 * 16 * 4} {
		var picture []byte
		for _, p := range []*peer{far, local} {
			p.do(10, p.period(device, 10))
			p.do(10)
			if device == "fan" {
				p.do(10, p.doubles1("fan", wire.LidarFrequency, 5), p.part("fan", wire.LidarPoints), p.part("fan", wire.LidarNoPoints))
			}
			p.do(10, p.period(device, 0))
			if p == far {
				if picture = p.image; len(picture) != size {
					t.Errorf("%s: %d bytes, want %d", device, len(picture), size)
				}
				continue
			}
			got, err := os.ReadFile(p.file)
			if err != nil || !bytes.Equal(got, picture) || int(p.size) != size {
				t.Errorf("%s: the file has %d bytes of %d, %v", device, len(got), p.size, err)
			}
		}
	}
	file := local.file
	_ = local.conn.Close()
	g.await("the files to go", func() bool { _, err := os.Stat(file); return os.IsNotExist(err) })
	last := g.controlLocally(dir, "p", wire.Latest())
	last.do(0, last.period("eye", 10))
	g.stop() // with the folder
	if err := last.take(); err != nil || !last.quit || log.count("put away") > 0 {
		t.Errorf("quit %t, %v: %s", last.quit, err, &log.text)
	}
}

// doubles1 is a command of a byte and a double.
func (p *peer) doubles1(device string, code byte, v float64) wire.Part {
	return p.part(device, binary.LittleEndian.AppendUint64([]byte{code}, math.Float64bits(v))...)
}

// A camera of a described robot has the size and the view of its description.
func TestDescribedCamera(t *testing.T) {
	p := serve(t, hall, nil).control("v1")
	r := &reader{t, p.configs["camera"]}
	r.int32()
	if w, h, fov := r.uint16(), r.uint16(), r.float(); w != 60 || h != 1 || math.Abs(fov-1.047) > 1e-3 {
		t.Errorf("%d × %d, %g rad", w, h, fov)
	}
	p.do(32, p.period("camera", 32))
	if len(p.image) != 4*60 || p.image[3] != 255 || bytes.Equal(p.image, make([]byte, 240)) {
		t.Errorf("a picture of %d bytes: %x", len(p.image), p.image)
	}
}
