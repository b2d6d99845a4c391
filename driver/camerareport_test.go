// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

// TestCameraReport: the diagnostics report the camera's state, the JPEG encoder and why it was chosen, the fault
// while the camera is unplugged, and its recovery.
func TestCameraReport(t *testing.T) {
	o, dev := withSmallCamera(t, "")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		diag := listenTo[diagnostic_msgs.DiagnosticArray](r, table.TopicDiag)
		status := func() diagnostic_msgs.DiagnosticStatus { return statusOf(r, last(r, diag), health.StatusCamera) }
		time.Sleep(3 * time.Second)
		if s := status(); s.Level != diagnostic_msgs.DiagnosticStatusOK || !strings.HasPrefix(s.Message, "closed") || numberOf(r, s, "opened") != 0 || valueOf(r, s, "encoder") != "none" {
			t.Errorf("no subscription: %+v", s)
		}
		_, jpg, _ := views(r)
		time.Sleep(5 * time.Second)
		s := status()
		if s.Level != diagnostic_msgs.DiagnosticStatusOK || s.Message != "works" || !strings.Contains(s.HardwareID, "small camera") {
			t.Errorf("%+v", s)
		}
		for key, want := range map[string]string{"mode": "64×48 YUYV", "encoder": "CPU", "encoder because": "no GPU", "last error": "none"} {
			if got := valueOf(r, s, key); !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", key, got, want)
			}
		}
		for key, want := range map[string][2]float64{
			"frame rate (Hz)": {14, 16}, "pictures per second": {28, 46}, "frames": {60, 80}, "opened": {1, 1}, "failures": {0, 0},
			"frames damaged": {0, 0}, "first picture after (ms)": {1, 500},
		} {
			if got := numberOf(r, s, key); got < want[0] || got > want[1] {
				t.Errorf("%s: %g, want %v", key, got, want)
			}
		}

		dev.unplugged.Store(true)
		time.Sleep(4 * time.Second)
		if s := status(); s.Level != diagnostic_msgs.DiagnosticStatusError || !slices.Equal(codes(s), []string{"camera.gone"}) || valueOf(r, s, "last error") == "none" {
			t.Errorf("unplugged: %+v", s)
		}
		before := len(jpg())
		dev.unplugged.Store(false)
		time.Sleep(8 * time.Second)
		if s := status(); s.Level != diagnostic_msgs.DiagnosticStatusOK || s.Message != "works" || len(jpg()) < before+30 {
			t.Errorf("after reconnection: %+v, %d pictures", s, len(jpg())-before)
		}

		dev.damaged.Store(true)
		time.Sleep(4 * time.Second)
		if s := status(); s.Level != diagnostic_msgs.DiagnosticStatusWarn || !slices.Equal(codes(s), []string{"camera.damaged"}) {
			t.Errorf("half of the frames damaged: %+v", s)
		}
		dev.stalled.Store(true)
		time.Sleep(6 * time.Second)
		if s := status(); s.Level != diagnostic_msgs.DiagnosticStatusError || !slices.Contains(codes(s), "camera.gone") {
			t.Errorf("stalled: %+v", s)
		}
	})
}
