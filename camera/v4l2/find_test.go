// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// desk is a machine with one of each kind: a codec, a webcam with its metadata node, the robot's camera and a grabber.
func desk(t *testing.T) *fakeSystem {
	sys := newFakeSystem(t)
	sys.plug("/dev/video0", &fakeCam{driver: "bcm2835-codec", card: "bcm2835-codec-decode", caps: 0x04204000})
	sys.plug("/dev/video1", webcam())
	meta := webcam()
	meta.caps = 0x04a00000 // V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_EXT_PIX_FORMAT
	sys.plug("/dev/video2", meta)
	sys.plug("/dev/video3", pipuck())
	sys.plug("/dev/video4", &fakeCam{driver: "vivid", card: "vivid"})
	sys.byID = map[string][]string{"/dev/video1": {"usb-046d_0825_5D3A0AA0-video-index0"}}
	return sys
}

func TestFind(t *testing.T) {
	sys := desk(t)
	for _, c := range []struct{ name, want string }{
		{"", "/dev/video3"},
		{"auto", "/dev/video3"},
		{"/dev/video1", "/dev/video1"},
		{"usb-046d_0825_5D3A0AA0-video-index0", "/dev/video1"},
		{"vivid", "/dev/video4"},
		{"uvcvideo", "/dev/video1"},
		{"c270", "/dev/video1"},
		{"Pi-puck Camera", "/dev/video3"},
		{"HD WEBCAM C270", "/dev/video1"},
	} {
		got, err := find(sys, c.name)
		if err != nil || got.Path != c.want {
			t.Errorf("%q: %v, %v; want %s", c.name, got.Path, err, c.want)
		}
	}
	sys.unplug("/dev/video3")
	if got, err := find(sys, "auto"); err != nil || got.Path != "/dev/video1" {
		t.Errorf("without the robot's camera: %v, %v", got, err)
	}
	for _, c := range sys.cams {
		c.clean(t)
	}
}

func TestFindInVain(t *testing.T) {
	sys := desk(t)
	sys.unplug("/dev/video3")
	sys.unplug("/dev/video1")
	sys.openErr["/dev/video5"] = syscall.EACCES
	sys.openErr["/dev/video6"] = syscall.EMFILE
	for name, want := range map[string][]string{
		"auto":          {"no USB camera", `/dev/video0 (bcm2835-codec "bcm2835-codec-decode", not a camera)`, `/dev/video4 (vivid "vivid")`, "/dev/video5 (no permission: this user must be in group video)", "/dev/video6 (too many open files)"},
		"C270":          {`no camera "C270"`, "video2", "not a camera)"},
		"/dev/video2":   {`no camera "/dev/video2"`, "not a camera"},
		"/dev/video7":   {"no such file", "/dev/video4"},
		"/dev/video5":   {"permission denied"},
		"bcm2835-codec": {"no camera"},
	} {
		_, err := find(sys, name)
		if !errors.Is(err, camera.ErrNoDevice) {
			t.Errorf("%q: %v", name, err)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v\nlacks %q", name, err, w)
			}
		}
	}
	var nd *noDeviceError
	if _, err := find(sys, "auto"); !errors.As(err, &nd) || len(nd.Have) != 5 {
		t.Errorf("%v", err)
	}
	if _, err := find(newFakeSystem(t), "auto"); err == nil || !strings.Contains(err.Error(), "there is: none") {
		t.Error(err)
	}
}

func TestFindWhatIsNoVideoDevice(t *testing.T) {
	sys := newFakeSystem(t)
	sys.plug("/dev/null", &fakeCam{}).failing("capability", syscall.ENOTTY)
	_, err := find(sys, "/dev/null")
	if !errors.Is(err, camera.ErrNoDevice) || !errors.Is(err, syscall.ENOTTY) || !strings.Contains(err.Error(), "not a video device") {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	sys := desk(t)
	got, err := list(sys)
	if err != nil || len(got) != 5 {
		t.Fatal(got, err)
	}
	want := Info{Path: "/dev/video1", Driver: "uvcvideo", Card: "HD Webcam C270", Bus: "usb-1.4", Capture: true,
		Links: []string{"usb-046d_0825_5D3A0AA0-video-index0"}}
	if d := cmp.Diff(want, got[1]); d != "" {
		t.Error(d)
	}
	if got[2].Capture || got[0].Capture || !got[4].Capture {
		t.Errorf("%v", got)
	}
}
