// SPDX-License-Identifier: Apache-2.0

//go:build peers

package jpeg

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// peerBinary builds the C program around libjpeg-turbo once.
var peerBinary = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(buildDir, "peer")
	out, err := exec.Command("cc", "-O2", "-Wall", "-Wextra", "-o", binary, "testdata/peer.c", "-ljpeg").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cannot build the libjpeg-turbo program (Debian: gcc, libjpeg62-turbo-dev): %w\n%s", err, out)
	}
	return binary, nil
})

// peerProgram returns the program.
func peerProgram(tb testing.TB) string {
	tb.Helper()
	if runtime.GOARCH == "arm" {
		tb.Skip("programs are started on a PC: QEMU may stop when its threads fork")
	}
	binary, err := peerBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return binary
}

// peer runs the program with in on its standard input.
func peer(tb testing.TB, in []byte, args ...string) []byte {
	tb.Helper()
	cmd := exec.Command(peerProgram(tb), args...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("libjpeg-turbo %v: %v\n%s", args, err, stderr.String())
	}
	return out
}

func peerEncoded(tb testing.TB, quality int, p yuv.Picture) []byte {
	tb.Helper()
	return peer(tb, p.Data, "encode", strconv.Itoa(p.Width), strconv.Itoa(p.Height), strconv.Itoa(quality))
}

// pictures are what the encoders are compared on: a calm picture, one with the noise of a cheap sensor, and sizes that
// are no multiple of an MCU.
func pictures() map[string]yuv.Picture {
	if !suite.Long { // the emulated robot
		return map[string]yuv.Picture{"odd size": scene(98, 61, 2, 3), "tiny": scene(2, 1, 2, 4)}
	}
	return map[string]yuv.Picture{
		"calm": scene(320, 240, 0.5, 1), "noisy": scene(320, 240, 6, 2), "odd size": scene(322, 237, 2, 3), "tiny": scene(2, 1, 2, 4),
	}
}

// TestAgainstLibjpegTurbo: at each quality the file has the tables of libjpeg's, is at most 1 % larger, and its picture
// is as good to within 0.1 dB, in libjpeg's own eyes and in image/jpeg's.
func TestAgainstLibjpegTurbo(t *testing.T) {
	for name, p := range pictures() {
		for _, quality := range []int{1, 10, 50, 80, 95, 100} {
			ours, theirs := encoded(t, quality, p, YUYV, yuv.Full), peerEncoded(t, quality, p)
			if a, b := len(ours), len(theirs); a > b+b/100+40 {
				t.Errorf("%s at %d: %d bytes, libjpeg-turbo %d", name, quality, a, b)
			}
			if a, b := segment(t, ours, markerDQT), segment(t, theirs, markerDQT); !bytes.Equal(a, b) {
				t.Errorf("%s at %d: quantisation tables differ", name, quality)
			}
			if len(p.Data) < 100 { // one rounding decides
				continue
			}
			a, b := psnr(peer(t, ours, "decode"), p.Data), psnr(peer(t, theirs, "decode"), p.Data)
			if a < b-0.1 {
				t.Errorf("%s at %d: %.2f dB, libjpeg-turbo %.2f dB", name, quality, a, b)
			}
			if go1 := psnr(decoded(t, ours).Data, p.Data); go1 < a-0.1 {
				t.Errorf("%s at %d: %.2f dB read by image/jpeg, %.2f by libjpeg-turbo", name, quality, go1, a)
			}
		}
	}
}

// TestDecodersAgree: image/jpeg and libjpeg-turbo see the same picture in our files, to within one step of their
// inverse DCTs' rounding.
func TestDecodersAgree(t *testing.T) {
	for name, p := range pictures() {
		file := encoded(t, 80, p, YUYV, yuv.Full)
		a, b := decoded(t, file).Data, peer(t, file, "decode")
		if len(a) != len(b) {
			t.Fatalf("%s: %d and %d bytes", name, len(a), len(b))
		}
		for i := range a {
			if d := int(a[i]) - int(b[i]); d < -1 || d > 1 {
				t.Fatalf("%s: byte %d is %d to image/jpeg and %d to libjpeg-turbo", name, i, a[i], b[i])
			}
		}
	}
}

// TestDjpegReadsOurFiles: Debian's own program takes the files, colour and grey, without a warning.
func TestDjpegReadsOurFiles(t *testing.T) {
	if runtime.GOARCH == "arm" {
		t.Skip("programs are started on a PC: QEMU may stop when its threads fork")
	}
	djpeg, err := exec.LookPath("djpeg")
	if err != nil {
		t.Fatal("no djpeg (Debian: libjpeg-turbo-progs), which scripts/setup.sh installs")
	}
	p := scene(98, 35, 3, 9)
	for name, file := range map[string][]byte{"P6\n98 35\n255\n": encoded(t, 80, p, YUYV, yuv.Full), "P5\n98 35\n255\n": encoded(t, 80, grey(p), Grey, yuv.Full)} {
		cmd := exec.Command(djpeg, "-strict")
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stderr = bytes.NewReader(file), &stderr
		out, err := cmd.Output()
		if err != nil || stderr.Len() > 0 || !bytes.HasPrefix(out, []byte(name)) {
			t.Errorf("%v, %s%q", err, stderr.String(), out[:min(20, len(out))])
		}
	}
}
