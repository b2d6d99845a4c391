// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// visit shows the boards of a world to the robot's camera, in sequence, from near and far, ahead and from the
// side, so that each of them comes to another part of the picture.
func (r *rig) visit(ctx context.Context, w *world.World) {
	rng := rand.New(rand.NewPCG(2, 7))
	u := func(a float64) float64 { return a * (2*rng.Float64() - 1) }
	for ctx.Err() == nil {
		b := w.Boards[rng.IntN(len(w.Boards))]
		away := 0.11 + 0.13*rng.Float64() // of the lens
		side := u(0.7)                    // from where it is looked at
		aim := u(0.21)                    // past its middle
		r.must(r.sim.Place(beforeBoard(b, away, side, aim)))
		if sleep(ctx, 300*time.Millisecond) != nil {
			return
		}
	}
}

// beforeBoard returns the pose of a robot whose lens looks at a board: from a distance (m), at an angle to the side of
// where the board faces, and past its middle by an angle (rad).
func beforeBoard(b world.Board, away, side, past float64) sim.Pose {
	sin, cos := math.Sincos(b.Yaw + side)
	eye := sim.Pose{X: b.Position[0] + away*cos, Y: b.Position[1] + away*sin, Theta: b.Yaw + side + math.Pi + past}
	sin, cos = math.Sincos(eye.Theta)
	eye.X, eye.Y = eye.X-vcamera.LensForward*cos, eye.Y-vcamera.LensForward*sin
	return eye
}

// TestLiveCamera: the camera of a simulated robot is calibrated as a real one is, through topics and services alone:
// its pictures, what is wanted next for the user who shows the board, the file, set_camera_info, and what the driver
// then says of the lens on camera_info and of the calibration in its parameters.
func TestLiveCamera(t *testing.T) {
	enough := math.MaxInt // pictures
	share := 0.002        // of the focal length, by which the result may be off
	if runtime.GOARCH == "arm" {
		t.Skip("the robot's program leaves lenses to a PC; an emulated ARM1176 takes seconds for each picture")
	}
	if !suite.Long {
		enough, share = 5, 0.02
	}
	home := t.TempDir()
	t.Setenv("ROS_HOME", home)
	text, err := world.ExampleSource("gallery")
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.Example("gallery")
	if err != nil {
		t.Fatal(err)
	}
	bubble(t, string(text), true, func(r *rig) {
		ctx, cancel := context.WithTimeout(r.Context(), 5*time.Minute)
		defer cancel()
		if m, err := r.robot.CameraInfo(ctx); err != nil || BeforeCamera(m) != nil {
			t.Errorf("before: %+v, %v", m, err)
		}
		r.must(r.robot.Set(ctx, []Setting{{"camera.framerate", 4.0}})) // a picture of each place is enough
		hints, err := listen[std_msgs.String](r.node, "calibration/hint")
		r.must(err)
		hint, pub, err := Hint(r.node)
		r.must(err)
		pictures, stream, err := FromTopics(r.node, "image_raw/compressed")
		r.must(err)
		walk, stop := context.WithCancel(ctx)
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			r.visit(walk, w)
		}()
		c := &CameraSession{Board: chess.Board{Cols: 13, Rows: 9, Square: 0.003, Marked: true}, Width: vcamera.Width, Height: vcamera.Height}
		r.must(c.Keep(filepath.Join(home, "pictures"), false))
		taken := 0
		few := func(ctx context.Context) (*image.Gray, string, error) {
			if taken++; taken > enough {
				return nil, "", errNoPictures
			}
			return pictures(ctx)
		}
		r.must(c.Collect(ctx, r.ui, few, hint))
		stop()
		<-gone
		if m, _, err := hints.next(ctx, 0); err != nil || m.Data == "" {
			t.Errorf("hint %q, %v", m.Data, err)
		}
		for _, o := range []interface{ Close() error }{stream, hints, pub} {
			r.must(o.Close())
		}
		if !c.Coverage.Good() && taken <= enough {
			t.Fatalf("%d views, %+v", len(c.Views), c.Coverage.Progress())
		}
		res, err := cam.Calibrate(c.Views, cam.Options{Width: c.Width, Height: c.Height})
		r.must(err)
		ReportCamera(r.ui, res, nil, c.Views)
		t.Log(r.ui.text())
		near(t, "fx", res.Camera.FX, vcamera.FocalX, share)
		near(t, "fy", res.Camera.FY, vcamera.FocalY, share)
		near(t, "cx", res.Camera.FX+res.Camera.CX-vcamera.CenterX, res.Camera.FX, share)
		near(t, "cy", res.Camera.FY+res.Camera.CY-vcamera.CenterY, res.Camera.FY, share)
		info, err := Calibration(res, "pipuck")
		r.must(err)
		where, err := r.robot.SetCameraInfo(ctx, info)
		r.must(err)
		r.must(r.robot.Set(ctx, CameraSettings(res, "r", time.Now())))

		// The driver's file is what camera_info_manager reads, and what it publishes is the same.
		file := filepath.Join(home, "camera_info", "pipuck.yaml")
		stored, err := caminfo.Load(file)
		if err != nil || where != "stored in "+file {
			t.Fatalf("%q: %v", where, err)
		}
		m, err := r.robot.CameraInfo(ctx)
		r.must(err)
		if m.K != info.K || m.P != info.P || stored.P != info.P || m.P == [12]float64{m.K[0], 0, m.K[2], 0, 0, m.K[4], m.K[5], 0, 0, 0, 1, 0} {
			t.Errorf("K %v P %v, want %v %v, stored %v", m.K, m.P, info.K, info.P, stored.P)
		}
		if b := BeforeCamera(m); b == nil || b.FX != res.Camera.FX {
			t.Errorf("the next calibration compares with %+v", b)
		}
		known, err := r.robot.Known(ctx)
		r.must(err)
		k := known[len(known)-1]
		if k.What != "camera" || k.Note == nil || k.Note.Robot != "r" || time.Since(k.Note.Time) > time.Minute || !(k.Note.Values[0].Interval > 0) {
			t.Errorf("%+v", k)
		}
		// A calibration from elsewhere has no age.
		info.K[0] *= 1.05
		_, err = r.robot.SetCameraInfo(ctx, info)
		r.must(err)
		known, err = r.robot.Known(ctx)
		r.must(err)
		if k := known[len(known)-1]; k.Note == nil || !k.Note.Time.IsZero() || k.Note.Values[0].Interval != 0 {
			t.Errorf("%+v", k)
		}
		if entries, err := os.ReadDir(filepath.Join(home, "pictures")); err != nil || len(entries) != len(c.Views) {
			t.Errorf("%d pictures are kept of %d views, %v", len(entries), len(c.Views), err)
		}
	})
}
