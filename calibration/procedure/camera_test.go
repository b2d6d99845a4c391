// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/internal/boardview"
)

var (
	lens  = cam.Camera{Width: 320, Height: 240, Model: cam.PlumbBob, FX: 281, FY: 279, CX: 163, CY: 118, D: []float64{-0.21, 0.07, 0.001, -0.001, 0}}
	board = chess.Board{Cols: 11, Rows: 8, Square: 0.02, Marked: true}
)

// session draws what a camera sees while a person moves the board about.
func session(n int) Pictures {
	c := boardview.New(lens)
	rng := rand.New(rand.NewPCG(4, 4))
	u := func(a float64) float64 { return a * (2*rng.Float64() - 1) }
	return func(context.Context) (*image.Gray, string, error) {
		if n--; n < 0 {
			return nil, "", errNoPictures
		}
		z := 0.2 + 0.25*rng.Float64()
		p := boardview.Place{RX: u(0.7), RY: u(0.7), RZ: u(0.5), X: u(0.45 * z), Y: u(0.33 * z), Z: z}
		return c.Draw(board, p, boardview.Daylight(), uint64(n)), "picture", nil
	}
}

// TestCamera: pictures until the coverage is good, the result as a file that says P and not K, and the kept pictures
// again from their folder give the same.
func TestCamera(t *testing.T) {
	folder := t.TempDir()
	c := &CameraSession{Board: board, Folder: folder}
	ui := &person{}
	var hints []string
	if err := c.Collect(t.Context(), ui, session(120), func(s string) { hints = append(hints, s) }); err != nil {
		t.Fatal(err)
	}
	if len(c.Views) < 8 || !c.Coverage.Good() || len(hints) < len(c.Views) {
		t.Fatalf("%d views, %+v, %d hints", len(c.Views), c.Coverage.Progress(), len(hints))
	}
	res, err := cam.Calibrate(c.Views, cam.Options{Width: c.Width, Height: c.Height})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(res.Camera.FX/lens.FX-1) > 0.003 || math.Abs(res.Camera.CX-lens.CX) > 1 {
		t.Errorf("%+v", res.Camera)
	}
	info, err := Calibration(res, "pipuck")
	if err != nil || info.Check() != nil || info.P[0] == info.K[0] || info.K[0] != res.Camera.FX {
		t.Errorf("%+v, %v", info, err)
	}
	ReportCamera(ui, res, nil, c.Views)
	was := res.Camera
	was.FX *= 1.02
	ReportCamera(ui, res, &was, c.Views)
	for _, want := range []string{"reprojection error 0.0", "px; the camera was not calibrated before", "with the previous calibration ", "fx     286.5"} {
		if !strings.Contains(ui.text(), want) {
			t.Errorf("%q is not in\n%s", want, ui.text())
		}
	}
	again, err := fromFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	d := &CameraSession{Board: board, All: true}
	if err := d.Collect(t.Context(), ui, again, nil); err != nil {
		t.Fatal(err)
	}
	same, err := cam.Calibrate(d.Views, cam.Options{Width: d.Width, Height: d.Height})
	if err != nil || len(d.Views) != len(c.Views) || math.Abs(same.Camera.FX-res.Camera.FX) > 1e-6 {
		t.Errorf("%d views give %+v, %v", len(d.Views), same, err)
	}
}

// TestBadPictures: files that are no pictures, another size, no board: they are named and left out. Ctrl-C keeps what
// is there.
func TestBadPictures(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, g *image.Gray) {
		var b bytes.Buffer
		if g != nil {
			if err := png.Encode(&b, g); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good, _, _ := session(1)(t.Context())
	write("a.png", good)
	write("b.png", nil)
	write("c.png", image.NewGray(image.Rect(0, 0, 100, 100)))
	write("d.png", image.NewGray(image.Rect(0, 0, 320, 240)))
	pictures, err := fromFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	c, ui := &CameraSession{Board: board, All: true}, &person{}
	if err := c.Collect(t.Context(), ui, pictures, nil); err != nil || len(c.Views) != 1 {
		t.Errorf("%d views, %v", len(c.Views), err)
	}
	for _, want := range []string{"b.png is empty", "c.png: it has 100×100 pixels", "d.png: chess: no board"} {
		if !strings.Contains(ui.text(), want) {
			t.Errorf("%q is not in\n%s", want, ui.text())
		}
	}
	if _, err := fromFolder(t.TempDir()); !errors.Is(err, errPicture) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	blocked := func(ctx context.Context) (*image.Gray, string, error) { return nil, "", ctx.Err() }
	if err := c.Collect(ctx, ui, blocked, nil); err != nil || len(c.Views) != 1 {
		t.Errorf("%d views, %v", len(c.Views), err)
	}
}

// Ctrl-C ends the collecting also on a computer that is slower than the camera: the next picture is always there.
func TestCollectEndsWithPicturesWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	blank, given := image.NewGray(image.Rect(0, 0, 320, 240)), 0
	endless := func(context.Context) (*image.Gray, string, error) {
		if given++; given == 3 {
			cancel()
		}
		if given > 10 {
			return nil, "", errNoPictures
		}
		return blank, "blank", nil
	}
	c := &CameraSession{Board: chess.Board{Cols: 8, Rows: 6, Square: 0.025}}
	if err := c.Collect(ctx, &person{}, endless, nil); !errors.Is(err, context.Canceled) || given != 3 {
		t.Errorf("%v after %d pictures", err, given)
	}
	s := &Stream[int]{count: 5, changed: make(chan struct{})}
	if _, _, err := s.within(ctx, 1, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a topic that is ahead: %v", err)
	}
}
