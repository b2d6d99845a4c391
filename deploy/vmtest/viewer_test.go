// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// viewer is a ROS 2 node on this side of the cable that looks at the pictures.
type viewer struct {
	node      *ros2.Node
	transport *rmw.Transport
	subs      []interface{ Close() error }

	mu    sync.Mutex
	raw   []*sensor_msgs.Image
	jpeg  []*sensor_msgs.CompressedImage
	infos []*sensor_msgs.CameraInfo
}

func newViewer(t *testing.T) *viewer {
	t.Helper()
	transport, err := rmw.New(rmw.Config{})
	if err != nil {
		t.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "viewer", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{node: node, transport: transport}
	t.Cleanup(func() {
		if err := node.Close(); err != nil {
			t.Error(err)
		}
		if err := transport.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

// keep appends to a list of at most twenty.
func keep[T any](v *viewer, list *[]*T) func(*T, ros2.MessageInfo) {
	return func(m *T, _ ros2.MessageInfo) {
		v.mu.Lock()
		defer v.mu.Unlock()
		*list = append(*list, m)
		if n := len(*list); n > 20 {
			*list = (*list)[n-20:]
		}
	}
}

// look subscribes to all three topics and waits for the first pictures.
func (v *viewer) look(g *guest) {
	g.t.Helper()
	raw, err := ros2.NewSubscription[sensor_msgs.Image](v.node, "image_raw", ros2.DefaultQoS(), keep(v, &v.raw))
	if err != nil {
		g.t.Fatal(err)
	}
	compressed, err := ros2.NewSubscription[sensor_msgs.CompressedImage](v.node, "image_raw/compressed", ros2.DefaultQoS(), keep(v, &v.jpeg))
	if err != nil {
		g.t.Fatal(err)
	}
	info, err := ros2.NewSubscription[sensor_msgs.CameraInfo](v.node, "camera_info", ros2.DefaultQoS(), keep(v, &v.infos))
	if err != nil {
		g.t.Fatal(err)
	}
	v.subs = []interface{ Close() error }{raw, compressed, info}
	began := time.Now()
	v.more(g, "first pictures", 1)
	g.t.Logf("first pictures %.2f s after subscribing, discovery included", time.Since(began).Seconds())
	v.more(g, "pictures", 8)
	g.t.Logf("by /diagnostics %s ms after the first subscriber was known (stated: 500 ms on a robot)", v.diagnosed(g, "first picture after (ms)"))
}

// diagnosed waits until /diagnostics has a value of that name.
func (v *viewer) diagnosed(g *guest, key string) string {
	g.t.Helper()
	values := make(chan string, 1)
	sub, err := ros2.NewSubscription(v.node, "/diagnostics", ros2.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros2.MessageInfo) {
		for _, s := range m.Status {
			for _, kv := range s.Values {
				if kv.Key == key {
					select {
					case values <- kv.Value:
					default:
					}
				}
			}
		}
	})
	if err != nil {
		g.t.Fatal(err)
	}
	defer sub.Close()
	select {
	case value := <-values:
		return value
	case <-time.After(waitTimeout):
		g.t.Errorf("/diagnostics never has %q", key)
		return ""
	}
}

// more waits for n new pictures of each kind.
func (v *viewer) more(g *guest, what string, n int) {
	g.t.Helper()
	v.mu.Lock()
	v.raw, v.jpeg, v.infos = nil, nil, nil
	v.mu.Unlock()
	g.await(what, func() (bool, string) {
		v.mu.Lock()
		defer v.mu.Unlock()
		return len(v.raw) >= n && len(v.jpeg) >= n && len(v.infos) >= n,
			fmt.Sprintf("%d raw, %d compressed, %d camera_info", len(v.raw), len(v.jpeg), len(v.infos))
	})
}

// check looks at sizes, order and colours, and that the text over the bars changes from picture to picture.
func (v *viewer) check(g *guest) {
	v.mu.Lock()
	defer v.mu.Unlock()
	stamps := map[builtin_interfaces.Time]bool{}
	for i, m := range v.raw {
		stamps[m.Header.Stamp] = true
		if m.Width != 640 || m.Height != 480 || m.Step != 1920 || len(m.Data) != 921600 || m.Encoding != "rgb8" || m.Header.FrameID != "camera_optical_frame" {
			g.t.Fatalf("image_raw is %d×%d %s, step %d, %d bytes, frame %s", m.Width, m.Height, m.Encoding, m.Step, len(m.Data), m.Header.FrameID)
		}
		checkBars(g.t, "image_raw", func(x, y int) [3]int {
			p := m.Data[y*1920+3*x:]
			return [3]int{int(p[0]), int(p[1]), int(p[2])}
		}, 6)
		if i == 0 {
			continue
		}
		before := v.raw[i-1]
		if !later(m.Header.Stamp, before.Header.Stamp) {
			g.t.Errorf("picture of %v came after that of %v", m.Header.Stamp, before.Header.Stamp)
		}
		if bytes.Equal(m.Data[:1920*100], before.Data[:1920*100]) {
			g.t.Error("the text with the time is the same in two pictures")
		}
	}
	same := 0
	for _, m := range v.jpeg {
		if stamps[m.Header.Stamp] {
			same++
		}
		if m.Format != "rgb8; jpeg compressed bgr8" {
			g.t.Errorf("format %q", m.Format)
		}
		picture, err := jpeg.Decode(bytes.NewReader(m.Data))
		if err != nil {
			g.t.Fatal(err)
		}
		if picture.Bounds() != image.Rect(0, 0, 640, 480) {
			g.t.Errorf("compressed picture is %v", picture.Bounds())
		}
		checkBars(g.t, "image_raw/compressed", func(x, y int) [3]int {
			r, gr, b, _ := picture.At(x, y).RGBA()
			return [3]int{int(r >> 8), int(gr >> 8), int(b >> 8)}
		}, 8)
	}
	for _, m := range v.infos {
		if m.Width != 640 || m.Height != 480 {
			g.t.Errorf("camera_info is of %d×%d", m.Width, m.Height)
		}
	}
	if same == 0 {
		g.t.Error("no compressed picture has the stamp of a raw one")
	}
	g.t.Logf("%d raw and %d compressed pictures, %d of the same frame; JPEG %d bytes", len(v.raw), len(v.jpeg), same, len(v.jpeg[0].Data))
}

func later(a, b builtin_interfaces.Time) bool {
	return a.Sec > b.Sec || a.Sec == b.Sec && a.Nanosec > b.Nanosec
}

// checkBars compares the middle of each bar with 75 % white, yellow, cyan, green, magenta, red, blue and black.
func checkBars(t *testing.T, what string, at func(x, y int) [3]int, tolerance int) {
	t.Helper()
	for bar, want := range [8][3]int{{1, 1, 1}, {1, 1, 0}, {0, 1, 1}, {0, 1, 0}, {1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}} {
		got := at(40+80*bar, 360)
		for c := range got {
			if d := got[c] - 191*want[c]; d > tolerance || d < -tolerance {
				t.Fatalf("%s: bar %d is %v, want %d %d %d (±%d)", what, bar, got, 191*want[0], 191*want[1], 191*want[2], tolerance)
			}
		}
	}
}
