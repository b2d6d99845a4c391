// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package jpeg

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// BenchmarkEncode encodes VGA frames at quality 80; one operation is one frame. It runs on any machine, the emulated
// ARM1176 as well.
func BenchmarkEncode(b *testing.B) {
	calm, noisy := scene(640, 480, 0.5, 1), scene(640, 480, 6, 2)
	for _, c := range []struct {
		name string
		p    yuv.Picture
		s    Sampling
	}{{"calm", calm, YUYV}, {"noisy", noisy, YUYV}, {"grey", grey(calm), Grey}} {
		b.Run(c.name, func(b *testing.B) {
			e, _ := New(80)
			var file []byte
			b.ReportAllocs()
			for b.Loop() {
				file, _ = e.Encode(file[:0], c.p, c.s, yuv.Full)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
			b.ReportMetric(float64(len(file)), "bytes/frame")
		})
	}
}

// BenchmarkNextToOthers encodes the same VGA frames with libjpeg-turbo, with and without its vector instructions (an
// ARM1176 has none), and with image/jpeg (4:2:0 only), in turns. Times are processor time, the least of all rounds.
// Ratios above 1 are in our favour; dB are of luma.
func BenchmarkNextToOthers(b *testing.B) {
	for _, c := range []struct {
		name    string
		noise   float64
		quality int
	}{{"calm", 0.5, 80}, {"noisy", 6, 80}, {"calm", 0.5, 95}} {
		b.Run(fmt.Sprintf("%s/quality=%d", c.name, c.quality), func(b *testing.B) { compare(b, scene(640, 480, c.noise, 1), c.quality) })
	}
}

func compare(b *testing.B, p yuv.Picture, quality int) {
	e, _ := New(quality)
	std := to420(p)
	var ours []byte
	var theirs bytes.Buffer
	turbo, plain := startPeer(b, p, quality), startPeer(b, p, quality, "JSIMD_FORCENONE=1")
	best := [4]time.Duration{1 << 62, 1 << 62, 1 << 62, 1 << 62}
	for b.Loop() {
		best[0] = min(best[0], processorTime(func() { ours, _ = e.Encode(ours[:0], p, YUYV, yuv.Full) }))
		best[1] = min(best[1], turbo.frame(b))
		best[2] = min(best[2], plain.frame(b))
		best[3] = min(best[3], processorTime(func() {
			theirs.Reset()
			_ = jpeg.Encode(&theirs, std, &jpeg.Options{Quality: quality})
		}))
	}
	peerFile := peerEncoded(b, quality, p)
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(best[0]), "ours-ms")
	b.ReportMetric(ms(best[1]), "turbo-ms")
	b.ReportMetric(ms(best[2]), "turbo-noSIMD-ms")
	b.ReportMetric(ms(best[3]), "image/jpeg-ms")
	b.ReportMetric(ms(best[1])/ms(best[0]), "turbo/ours")
	b.ReportMetric(ms(best[2])/ms(best[0]), "turbo-noSIMD/ours")
	b.ReportMetric(ms(best[3])/ms(best[0]), "image/jpeg/ours")
	b.ReportMetric(float64(len(peerFile))/float64(len(ours)), "turbo-size/ours")
	b.ReportMetric(float64(theirs.Len())/float64(len(ours)), "image/jpeg-size/ours")
	b.ReportMetric(lumaPSNR(b, ours, p), "ours-dB")
	b.ReportMetric(lumaPSNR(b, peerFile, p), "turbo-dB")
	b.ReportMetric(lumaPSNR(b, theirs.Bytes(), p), "image/jpeg-dB")
}

// processorTime is the time this process computed for, over a few calls, per call.
func processorTime(run func()) time.Duration {
	const times = 5
	var before, after syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	for range times {
		run()
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	d := time.Duration(after.Utime.Nano() - before.Utime.Nano() + after.Stime.Nano() - before.Stime.Nano())
	return d / times
}

// runningPeer is the C program with a frame.
type runningPeer struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startPeer(b *testing.B, p yuv.Picture, quality int, env ...string) *runningPeer {
	b.Helper()
	cmd := exec.Command(peerProgram(b), "bench", strconv.Itoa(p.Width), strconv.Itoa(p.Height), strconv.Itoa(quality))
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Errorf("libjpeg-turbo: %v", err)
		}
	})
	if _, err := in.Write(p.Data); err != nil {
		b.Fatal(err)
	}
	return &runningPeer{in, bufio.NewReader(out)}
}

// frame is its processor time for a frame, over the 20 of peer.c's ROUNDS.
func (r *runningPeer) frame(b *testing.B) time.Duration {
	if _, err := r.in.Write([]byte{'\n'}); err != nil {
		b.Fatal(err)
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(ns) / 20
}

// to420 is the frame as image/jpeg takes it without a detour through RGB.
func to420(p yuv.Picture) *image.YCbCr {
	im := image.NewYCbCr(image.Rect(0, 0, p.Width, p.Height), image.YCbCrSubsampleRatio420)
	for y := range p.Height {
		for x := range p.Width {
			at := y*p.Stride + 2*x
			im.Y[im.YOffset(x, y)] = p.Data[at]
			if y%2 == 0 && x%2 == 0 {
				c := im.COffset(x, y)
				im.Cb[c] = byte((int(p.Data[at+1]) + int(p.Data[at+p.Stride+1]) + 1) / 2)
				im.Cr[c] = byte((int(p.Data[at+3]) + int(p.Data[at+p.Stride+3]) + 1) / 2)
			}
		}
	}
	return im
}

func lumaPSNR(b *testing.B, file []byte, p yuv.Picture) float64 {
	w, h, got, err := DecodeYUYV(nil, file, 1<<20)
	if err != nil {
		b.Fatal(err)
	}
	return psnr(grey(yuv.Picture{Data: got, Width: w, Height: h, Stride: 2 * w}).Data, grey(p).Data)
}
