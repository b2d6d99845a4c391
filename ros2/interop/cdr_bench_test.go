// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"encoding/hex"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// fastcdr is the program that runs the benchmark with Fast CDR.
var fastcdr = &stack{
	name:     "fastcdr",
	sources:  []string{"fastcdr/*"},
	commands: []string{`c++ -std=c++17 -O2 -Wall -Wextra -o peer "$T/fastcdr/cdr.cpp" -lfastcdr`},
	packages: "g++ libfastcdr-dev",
}

// cdrMessages are the messages of testdata/fastcdr/cdr.cpp.
func cdrMessages() map[string]cdr.Message {
	header := std_msgs.Header{Stamp: builtin_interfaces.Time{Sec: 1, Nanosec: 2}, FrameID: "odom"}
	odometry := &nav_msgs.Odometry{Header: header, ChildFrameID: "base_link"}
	odometry.Pose.Pose = geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1, Y: 2, Z: 3}, Orientation: geometry_msgs.Quaternion{W: 1}}
	odometry.Twist.Twist = geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1, Y: 2, Z: 3}, Angular: geometry_msgs.Vector3{X: 4, Y: 5, Z: 6}}
	return map[string]cdr.Message{
		"odometry": odometry,
		"scan": &sensor_msgs.LaserScan{
			Header: header, AngleMin: 1, AngleMax: 2, AngleIncrement: 3, TimeIncrement: 4, ScanTime: 5, RangeMin: 6, RangeMax: 7,
			Ranges: slices.Repeat([]float32{1.5}, 360),
		},
		"image": &sensor_msgs.Image{
			Header: header, Height: 480, Width: 640, Encoding: "rgb8", Step: 1920, Data: slices.Repeat([]uint8{7}, 921_600),
		},
	}
}

// fastCDR is a line of the program's output.
type fastCDR struct {
	name           string
	encode, decode float64 // nanoseconds
	size           int
	head           string
}

// runFastCDR measures all messages for so many seconds.
func runFastCDR(tb testing.TB, seconds float64) map[string]fastCDR {
	tb.Helper()
	out, err := exec.Command(fastcdr.path(tb), fmt.Sprint(seconds)).Output()
	if err != nil {
		tb.Fatal(err)
	}
	lines := map[string]fastCDR{}
	for line := range strings.Lines(string(out)) {
		var f fastCDR
		if _, err := fmt.Sscan(line, &f.name, &f.encode, &f.decode, &f.size, &f.head); err != nil {
			tb.Fatalf("%q: %v", line, err)
		}
		lines[f.name] = f
	}
	return lines
}

// TestFastCDREncodesSameBytes: the compared encodings are of the same message.
func TestFastCDREncodesSameBytes(t *testing.T) {
	lines := runFastCDR(t, 0.01)
	for name, m := range cdrMessages() {
		data, err := cdr.Marshal(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		f := lines[name]
		if head := hex.EncodeToString(data[:min(len(data), 256)]); len(data) != f.size || head != f.head {
			t.Errorf("%s: %d bytes\n%s\nFast CDR %d bytes\n%s", name, len(data), head, f.size, f.head)
		}
	}
}

// nanoseconds is the function of the same name in cdr.cpp.
func nanoseconds(seconds float64, f func()) float64 {
	best := math.MaxFloat64
	for range 10 {
		begin, n, took := time.Now(), 0, time.Duration(0)
		for took.Seconds() < seconds/10 {
			for range 10 {
				f()
			}
			n += 10
			took = time.Since(begin)
		}
		best = min(best, float64(took.Nanoseconds())/float64(n))
	}
	return best
}

// BenchmarkCDR: the same messages encoded and decoded by both, into reused memory.
func BenchmarkCDR(b *testing.B) {
	messages := cdrMessages()
	theirs := runFastCDR(b, perfSeconds())
	for _, name := range []string{"odometry", "scan", "image"} {
		m := messages[name]
		data, err := cdr.Marshal(nil, m)
		if err != nil {
			b.Fatal(err)
		}
		report := func(b *testing.B, fast float64, f func()) {
			ours := nanoseconds(perfSeconds()/6, f)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours, "ours-ns")
			b.ReportMetric(fast, "fastcdr-ns")
			b.ReportMetric(ours/fast, "ours/fastcdr")
		}
		b.Run(name+"/encode", func(b *testing.B) {
			var e cdr.Encoder
			buf := make([]byte, 0, 1<<20)
			report(b, theirs[name].encode, func() {
				e.Reset(buf[:0])
				m.EncodeCDR(&e)
				buf = e.Bytes()
			})
		})
		b.Run(name+"/decode", func(b *testing.B) {
			var d cdr.Decoder
			report(b, theirs[name].decode, func() {
				if err := d.Unmarshal(data, m); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
