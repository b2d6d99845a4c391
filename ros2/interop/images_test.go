// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/jpeg"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/sim"
	simworld "github.com/epuck-ros2/epuck-driver/sim/world"
)

// jpegSize is a picture of the robot's camera as JPEG, bytes.
const jpegSize = 40_000

// pictures are our writers of raw pictures and of such as large as JPEG files, and a peer that reads both.
type pictures struct {
	t          *testing.T
	raw, small *ourWriter
	p          *peer
}

func newPictures(t *testing.T, s *stack, domain uint32, q qos) *pictures {
	t.Helper()
	o := startOurs(t, rtps.Config{DomainID: domain})
	x := &pictures{t: t, raw: o.writer("rt/raw", typeImage, q), small: o.writer("rt/small", typeBlob, q), p: s.start(t, domain, 0)}
	x.p.send("reader raw image rt/raw %s", q.words())
	x.p.send("reader small blob rt/small %s", q.words())
	for _, id := range []string{"raw", "small"} {
		x.p.matched(id, 1)
	}
	x.raw.matched(1)
	x.small.matched(1)
	return x
}

// write writes one of each.
func (x *pictures) write() {
	x.t.Helper()
	x.raw.image()
	x.small.written++
	x.small.write(numberedBlob(x.small.written, jpegSize))
}

// number checks the content of a picture that arrived and gives its number.
func (x *pictures) number(e event) int {
	x.t.Helper()
	if e.ID == "small" {
		if e.Size != jpegSize-blobOverhead || e.Wrong != 0 {
			x.t.Fatalf("%.300s", e.line)
		}
		return e.Number
	}
	if e.Size != imageSize || e.Wrong != 0 || e.Encoding != "rgb8" || e.Width != imageWidth || e.Height != imageHeight || e.Step != imageStep {
		x.t.Fatalf("%.300s", e.line)
	}
	return int(e.Sec)
}

// TestImages: pictures, raw and as large as JPEG files, reach both other stacks byte for byte without a loss, one after
// the other as a camera gives them and five at once.
func TestImages(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		x := newPictures(t, s, domain, qos{reliable: true, depth: 10})
		for _, n := range []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5} {
			first := x.raw.written + 1
			for range n {
				x.write()
			}
			for _, id := range []string{"raw", "small"} {
				for i := first; i < first+n; i++ {
					if got := x.number(x.p.sample(id)); got != i {
						t.Fatalf("%s: picture %d when %d was due", id, got, i)
					}
				}
			}
		}
		for _, id := range []string{"raw", "small"} {
			if st := x.p.stats(id); st.Lost != 0 || st.Received != x.raw.written {
				t.Errorf("%s: %.300s", id, st.line)
			}
		}
		x.p.quit()
	})
}

// inARow is how many pictures in a row must arrive with best effort.
const inARow = 10

// TestImagesBestEffort: the same without reliability. A reader that gets no processor time loses some, for no writer
// sends them again: so ten in a row without a loss must arrive at some time, and everything received is complete and in
// order.
func TestImagesBestEffort(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		x := newPictures(t, s, domain, qos{depth: 10})
		row, deadline := 0, time.Now().Add(2*timeout)
		for row < inARow {
			if time.Now().After(deadline) {
				t.Fatalf("of %d pictures never %d in a row arrived: %s %s", x.raw.written, inARow, x.p.stats("raw").line, x.p.stats("small").line)
			}
			x.write()
			row++
			for _, id := range []string{"raw", "small"} {
				e, ok := x.p.events.awaitWithin(2*time.Second, func(e event) bool {
					return e.Event == "sample" && e.ID == id && x.number(e) == x.raw.written
				})
				if !ok {
					t.Logf("picture %d of %s was lost", x.raw.written, id)
					row = 0
				} else if e.Wrong != 0 {
					t.Errorf("%.300s", e.line)
				}
			}
		}
		x.p.quit()
	})
}

// TestCameraTopics: what the real program publishes of its (simulated) camera reaches programs of both other stacks,
// which request it reliably or not: exactly the bytes of the same robot's picture, with equal stamps.
func TestCameraTopics(t *testing.T) {
	world := cameraWorld(t)
	raw, file := expectedPictures(t, world)
	for _, q := range []qos{{reliable: true, depth: 5}, {depth: 5}} {
		name := map[bool]string{true: "reliable", false: "best effort"}[q.reliable]
		t.Run(name, func(t *testing.T) {
			eachStack(t, func(t *testing.T, s *stack, domain uint32) {
				t.Setenv("ROS_HOME", t.TempDir())
				r, p := startRobot(t, domain, "--world", world), s.start(t, domain, 0)
				p.send("reader info camera_info rt/camera_info %s", q.words())
				p.send("reader raw image rt/image_raw %s", q.words())
				p.send("reader jpeg compressed rt/image_raw/compressed %s", q.words())
				stamps := map[int64]int{} // how many topics had it
				for range 12 {
					e := p.sample("raw")
					if e.FrameID != "camera_optical_frame" || e.Width != 640 || e.Height != 480 || e.Step != 1920 || e.Encoding != "rgb8" || e.Size != imageSize || e.Sum != sum(raw) {
						t.Fatalf("raw: %.300s, sum %d wanted", e.line, sum(raw))
					}
					stamps[e.stamp()]++
					if e = p.sample("jpeg"); e.FrameID != "camera_optical_frame" || e.Format != "rgb8; jpeg compressed bgr8" || e.Size != len(file) || e.Sum != sum(file) {
						t.Fatalf("JPEG: %.300s, %d bytes of sum %d wanted", e.line, len(file), sum(file))
					}
					stamps[e.stamp()]++
					if e = p.sample("info"); e.FrameID != "camera_optical_frame" || e.Width != 640 || e.Height != 480 || e.Model != "plumb_bob" ||
						fmt.Sprint(e.K) != "[940.83 0 320.06 0 942.66 223.64 0 0 1]" || len(e.D) != 5 || len(e.P) != 12 || e.P[0] != 940.83 {
						t.Fatalf("info: %.500s", e.line)
					}
					stamps[e.stamp()]++
				}
				together := 0
				for _, n := range stamps {
					if n == 3 {
						together++
					}
				}
				if together == 0 {
					t.Errorf("no picture, JPEG and calibration of one stamp: %v", stamps)
				}
				r.interrupt()
				for _, id := range []string{"raw", "jpeg", "info"} {
					p.matched(id, 0)
				}
				p.quit()
			})
		})
	}
}

// cameraWorld is the file of the world "camera" with its first robot alone, whose topics have no namespace then.
func cameraWorld(t *testing.T) string {
	t.Helper()
	source, err := simworld.ExampleSource("camera")
	if err != nil {
		t.Fatal(err)
	}
	text, _, found := strings.Cut(string(source), "  - {name: epuck2")
	file := filepath.Join(t.TempDir(), "camera.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil || !found {
		t.Fatalf("no second robot, or %v", err)
	}
	return file
}

// expectedPictures are the bytes of image_raw and image_raw/compressed in a world.
func expectedPictures(t *testing.T, file string) (raw, jpegFile []byte) {
	t.Helper()
	world, err := sim.LoadWorld(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(world, sim.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	frame := yuv.Picture{Data: sim.RobotsOf[*sim.Firmware](s)[0].Picture(nil), Width: 640, Height: 480, Stride: 1280}
	raw = make([]byte, imageSize)
	if err := yuv.RGB(yuv.Picture{Data: raw, Width: 640, Height: 480, Stride: 1920}, frame, yuv.Full); err != nil {
		t.Fatal(err)
	}
	e, err := jpeg.New(80)
	if err != nil {
		t.Fatal(err)
	}
	jpegFile, err = e.Encode(nil, frame, jpeg.YUYV, yuv.Full)
	if err != nil {
		t.Fatal(err)
	}
	return raw, jpegFile
}

// sum returns a content's hash as reported by peers: FNV-1a.
func sum(data []byte) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(data)
	return h.Sum32()
}
