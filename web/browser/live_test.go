// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/m2m"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// colourBars is a stream of the seven bars of television, by Debian's ffmpeg.
func colourBars(t *testing.T) [][]byte {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		missing(t, err)
	}
	path := filepath.Join(t.TempDir(), "bars.h264")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "smptebars=size=640x480:rate=15", "-frames:v", "30", "-c:v", "libx264",
		"-profile:v", "baseline", "-level", "3.1", "-g", "15", "-bf", "0", "-pix_fmt", "yuv420p", "-x264-params", "repeat-headers=1:slices=1:aud=1", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	delimiter := []byte{0, 0, 0, 1, 9}
	var units [][]byte
	for _, part := range bytes.Split(data, delimiter)[1:] {
		units = append(units, append(bytes.Clone(delimiter), part...))
	}
	return units
}

// TestLiveVideo: H.264 goes from a mem2mem device through its driver, mediadevices and WebRTC to the browser, which
// shows the bars.
func TestLiveVideo(t *testing.T) {
	g := &gpu{t: t, units: colourBars(t), controls: map[uint32]int32{}}
	r := newRig(t, options{encoder: func(c camera.EncoderConfig) (live.Encoder, error) {
		return m2m.NewH264Encoder(m2m.H264Config{Encoder: c, Files: g})
	}})
	pictures := make(chan struct{}, 1) // another program looks at the camera's topic all the time
	_, err := ros2.Listen(r.node, "image_raw/compressed", ros2.SensorDataQoS(), func(*sensor_msgs.CompressedImage) {
		select {
		case pictures <- struct{}{}:
		default:
		}
	})
	r.must(err)
	r.do(`await page.select("#camera-mode", "live")`)
	r.until("the video plays", func() bool {
		return r.do(`return page.$eval("#video", (v) => v.videoWidth === 640 && v.currentTime > 0.5)`) == true
	})
	for range 3 {
		<-pictures
	}
	shown := r.do(`return page.$eval("#video", (v) => {
		const c = document.createElement("canvas"); c.width = 7; c.height = 1;
		const g = c.getContext("2d"); g.drawImage(v, 0, 0, 640, 300, 0, 0, 7, 1);
		return [...g.getImageData(0, 0, 7, 1).data]; })`).([]any)
	bars := [7][3]float64{{180, 180, 180}, {180, 180, 16}, {16, 180, 180}, {16, 180, 16}, {180, 16, 180}, {180, 16, 16}, {16, 16, 180}}
	for i, want := range bars {
		for c := range 3 {
			if got := shown[4*i+c].(float64); math.Abs(got-want[c]) > 40 {
				t.Errorf("bar %d: %v, want %v", i, shown[4*i:4*i+3], want)
				break
			}
		}
	}
	r.do(`await page.select("#camera-mode", "jpeg")`)
	r.until("JPEG is back", func() bool { return strings.HasPrefix(r.text("#camera-note"), "JPEG") })
	r.until("the device is closed", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.opened == 0
	})
	if g.pictures < 5 || g.controls[bitrateControl] == 0 {
		t.Errorf("the device was given %d pictures of the camera; controls %v", g.pictures, g.controls)
	}
	r.clean()
}

// TestNoEncoderMeansJPEG: where there is no H.264 encoder the page says so and takes JPEG.
func TestNoEncoderMeansJPEG(t *testing.T) {
	for name, encoder := range map[string]func(camera.EncoderConfig) (live.Encoder, error){
		"No H.264 encoder here": nil,
		"No live video":         func(camera.EncoderConfig) (live.Encoder, error) { return nil, errors.New("no such GPU device") },
	} {
		r := newRig(t, options{encoder: encoder})
		r.do(`await page.select("#camera-mode", "live")`)
		r.until("it says so and shows JPEG", func() bool {
			return strings.Contains(r.text("#camera-note"), name) && strings.Contains(r.text("#camera-note"), "JPEG, ")
		})
	}
}
