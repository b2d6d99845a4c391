// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package m2m

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// videoPictures is the number of pictures of the fake GPU's stream.
const videoPictures = 45

// stream is what Debian's ffmpeg makes of its test picture, by access units: what a GPU would make.
func stream(t *testing.T) [][]byte {
	t.Helper()
	if runtime.GOARCH == "arm" {
		t.Skip("programs are started on a PC: QEMU may stop when its threads fork")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Fatal("no ffmpeg (Debian: ffmpeg), which scripts/setup.sh installs: ", err)
	}
	path := filepath.Join(t.TempDir(), "video.h264")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x480:rate=15", "-frames:v", strconv.Itoa(videoPictures),
		"-c:v", "libx264", "-profile:v", "baseline", "-level", "3.1", "-g", "30", "-bf", "0", "-pix_fmt", "yuv420p",
		"-x264-params", "repeat-headers=1:slices=1:aud=1", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	delimiter := []byte{0, 0, 0, 1, 9} // an access unit delimiter begins each picture
	var units [][]byte
	for _, part := range bytes.Split(data, delimiter)[1:] {
		units = append(units, append(bytes.Clone(delimiter), part...))
	}
	if len(units) != videoPictures {
		t.Fatalf("%d access units of %d pictures", len(units), videoPictures)
	}
	return units
}

// videoMachine is a machine whose GPU returns a stream.
func videoMachine(t *testing.T, units [][]byte) (*fakeKernel, *fakeDev) {
	k := raspberry(t)
	d := &fakeDev{
		t: t, path: "/dev/video11", card: CardH264, caps: capM2M | capStreaming, controls: map[uint32]int32{}, rows16: true,
		takes: []camera.PixelFormat{camera.YUYV}, gives: []camera.PixelFormat{formatH264},
		work: func(_ *fakeFile, _ []byte, number int64) []byte { return units[int(number-1)%len(units)] },
	}
	k.devs = append(k.devs, d)
	return k, d
}

// TestH264: what the GPU makes comes out whole and in order, so that ffmpeg shows every picture of it.
func TestH264(t *testing.T) {
	k, d := videoMachine(t, stream(t))
	e, err := NewH264Encoder(H264Config{Files: k, Encoder: vgaConfig()})
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for i := range videoPictures {
		if all, err = e.Encode(all, bars(640, 480, 1280, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(e.ForceKey(), e.SetBitrate(500_000)); err != nil {
		t.Error(err)
	}
	want := map[uint32]int32{h264Bitrate: 500_000, h264Profile: profileBaseline, h264Level: level31, h264Period: defaultKeyPeriod, h264RepeatHeader: 1, h264ForceKey: 1}
	for id, v := range want {
		if d.controls[id] != v {
			t.Errorf("control %#x is %d, want %d", id, d.controls[id], v)
		}
	}
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	k.clean(t)
	cmd := exec.Command("ffmpeg", "-v", "error", "-f", "h264", "-i", "-", "-f", "framecrc", "-")
	cmd.Stdin = bytes.NewReader(all)
	shown, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(shown), "\n0,") != videoPictures {
		t.Errorf("%v; ffmpeg shows %d of %d pictures\n%.2000s", err, strings.Count(string(shown), "\n0,"), videoPictures, shown)
	}
}

// TestH264WithoutAllControls: drivers that lack a control that is only good to have do; one without a bit rate does
// not.
func TestH264WithoutAllControls(t *testing.T) {
	unit := [][]byte{{0, 0, 0, 1, 0x65, 1}}
	k, d := videoMachine(t, unit)
	d.without = []uint32{h264Period, h264Level, h264RepeatHeader}
	e, err := NewH264Encoder(H264Config{Files: k, Encoder: vgaConfig()})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	d.without = []uint32{h264Bitrate}
	if _, err := NewH264Encoder(H264Config{Files: k, Encoder: vgaConfig()}); err == nil {
		t.Error("an encoder without a bit rate was taken")
	}
	k.clean(t)
}

func TestH264Refuses(t *testing.T) {
	k, _ := videoMachine(t, [][]byte{{0xFF, 0xD8, 0xFF, 0xD9}})
	e, err := NewH264Encoder(H264Config{Files: k, Encoder: vgaConfig()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Encode(nil, bars(640, 480, 1280, 0)); !errors.Is(err, camera.ErrFrame) {
		t.Error("a JPEG file passes for H.264:", err)
	}
	if _, err := e.Encode(nil, bars(64, 48, 128, 0)); !errors.Is(err, camera.ErrFrame) {
		t.Error(err)
	}
	if err := e.SetBitrate(1); !errors.Is(err, camera.ErrSetting) {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	cfg := vgaConfig()
	cfg.Width = 641
	if _, err := NewH264Encoder(H264Config{Files: k, Encoder: cfg}); !errors.Is(err, errFormat) {
		t.Error(err)
	}
	if _, err := NewH264Encoder(H264Config{Files: &fakeKernel{t: t}, Encoder: vgaConfig()}); !errors.Is(err, ErrNoDevice) {
		t.Error(err)
	}
}

// FuzzStartsUnit: the check never reads beyond what there is.
func FuzzStartsUnit(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0x67})
	f.Add([]byte{0, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if startsUnit(data) && len(data) < 4 {
			t.Errorf("%x", data)
		}
	})
}
