// SPDX-License-Identifier: Apache-2.0

//go:build linux

package camera

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkPipeline passes 640×480 YUYV frames through the pipeline as fast as it takes them, from the camera's Read to
// the sinks' functions. cpu-ms/frame is the processor time of the whole process, whatever thread it was on; at 15
// frames/s, 1 ms is 1.5 % of a core.
func BenchmarkPipeline(b *testing.B) {
	for _, c := range []struct {
		name string
		want []Output
	}{
		{"stamp", []Output{{Encoding: StampOnly}}},
		{"yuv422_yuy2", []Output{{Encoding: YUV422YUY2}}},
		{"rgb8", []Output{{Encoding: RGB8}}},
		{"bgr8", []Output{{Encoding: BGR8}}},
		{"mono8", []Output{{Encoding: Mono8}}},
		{"jpeg", []Output{{Encoding: Compressed}}},
		{"rgb8+jpeg+stamp", []Output{{Encoding: RGB8}, {Encoding: Compressed}, {Encoding: StampOnly}}},
		{"rgb8-320x240", []Output{{Encoding: RGB8, Width: 320, Height: 240}}},
		{"jpeg-320x240", []Output{{Encoding: Compressed, Width: 320, Height: 240}}},
	} {
		b.Run(c.name, func(b *testing.B) { pipelineBench(b, c.want) })
	}
}

func pipelineBench(b *testing.B, want []Output) {
	cam := &stepCamera{mode: Mode{640, 480, YUYV, 15}, step: make(chan struct{}), quit: make(chan struct{})}
	cam.frame = Frame{Data: make([]byte, 640*480*2), Format: YUYV, Width: 640, Height: 480, Stride: 1280, Stamp: time.Now()}
	for i := range cam.frame.Data {
		x, y := i/2%640, i/1280
		cam.frame.Data[i] = byte(20 + x/6 + y/5 + i*i%7) // slopes and some noise
		if i%2 == 1 {
			cam.frame.Data[i] = byte(110 + (x+y)/32 + i*i%3)
		}
	}
	p, err := New(Config{Device: cam})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	done := make(chan struct{}, len(want))
	for _, o := range want {
		if _, err := p.Attach(o, func(*Image) { done <- struct{}{} }); err != nil {
			b.Fatal(err)
		}
	}
	one := func() {
		cam.step <- struct{}{}
		for range want {
			<-done
		}
	}
	one()
	b.ReportAllocs()
	before := processorTime()
	for b.Loop() {
		one()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
	b.ReportMetric((processorTime()-before).Seconds()*1000/float64(b.N), "cpu-ms/frame")
	if st := p.Status(); st.Unmade > 0 || strings.Contains(st.Encoder, "GPU") {
		b.Fatalf("%+v", st)
	}
}

// processorTime is the time this process has computed for.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
