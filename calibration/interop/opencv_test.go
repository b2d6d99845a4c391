// SPDX-License-Identifier: Apache-2.0

//go:build peers

package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/internal/boardview"
)

var board = chess.Board{Cols: 9, Rows: 6, Square: 0.024}

// opencv is what the peer answers.
type opencv struct {
	RMS     float64                 `json:"rms"`
	K       [9]float64              `json:"k"`
	D       []float64               `json:"d"`
	P       []float64               `json:"p"`
	Seconds float64                 `json:"seconds"`
	Corners map[string][][2]float64 `json:"corners"`
}

// ask runs OpenCV on a folder of pictures. Without it the test fails: scripts/setup.sh installs python3-opencv.
func ask(t *testing.T, folder string, model cam.Model) opencv {
	t.Helper()
	cmd := exec.Command("/usr/bin/python3", "testdata/opencv.py", folder, string(model),
		fmt.Sprint(board.Cols), fmt.Sprint(board.Rows), fmt.Sprint(board.Square))
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	if err := cmd.Run(); err != nil {
		t.Fatalf("python3-opencv (scripts/setup.sh installs it): %v\n%s", err, failed.String())
	}
	var o opencv
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// write stores a picture as PGM.
func write(t *testing.T, path string, g *image.Gray) {
	t.Helper()
	data := append([]byte(fmt.Sprintf("P5 %d %d 255\n", g.Rect.Dx(), g.Rect.Dy())), g.Pix...)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// session draws n pictures in which the whole board is seen, and detects it.
func session(t *testing.T, folder string, truth cam.Camera, n int) []cam.View {
	t.Helper()
	c := boardview.New(truth)
	rng := rand.New(rand.NewPCG(21, 4))
	u := func(a float64) float64 { return a * (2*rng.Float64() - 1) }
	var views []cam.View
	for i := 0; len(views) < n && i < 40*n; i++ {
		z := (0.28 + 0.2*rng.Float64()) * truth.FX / 560
		p := boardview.Place{RX: u(0.65), RY: u(0.65), RZ: u(0.4), X: u(0.5 * z), Y: u(0.35 * z), Z: z}
		inside := true
		for k := range board.Cols * board.Rows {
			x, y, ok := c.Corner(board, p, k%board.Cols, k/board.Cols)
			inside = inside && ok && x > 20 && y > 20 && x < 620 && y < 460
		}
		if !inside {
			continue
		}
		img := c.Draw(board, p, boardview.Daylight(), uint64(i))
		v, err := chess.Detect(img, board)
		if err != nil {
			continue
		}
		name := filepath.Join(folder, fmt.Sprintf("%03d.pgm", i))
		write(t, name, img)
		out := cam.View{Name: name}
		for _, k := range v.Corners {
			out.Points = append(out.Points, cam.Point{X: float64(k.Col) * board.Square, Y: float64(k.Row) * board.Square, U: k.X, V: k.Y})
		}
		views = append(views, out)
	}
	return views
}

// TestSamePicturesThroughOpenCV: the intrinsics agree with OpenCV's to 0.2 %, and our reprojection error is not above
// its.
func TestSamePicturesThroughOpenCV(t *testing.T) {
	for _, truth := range []cam.Camera{
		{Width: 640, Height: 480, Model: cam.PlumbBob, FX: 561.3, FY: 556.8, CX: 331.2, CY: 236.4, D: []float64{-0.213, 0.072, 0.0012, -0.0008, 0}},
		{Width: 640, Height: 480, Model: cam.Rational, FX: 452.5, FY: 455.1, CX: 312.7, CY: 244.9, D: []float64{0.3, -0.05, 0.0007, 0.0004, 0.002, 0.55, 0.02, -0.005}},
		{Width: 640, Height: 480, Model: cam.Equidistant, FX: 390.4, FY: 391.9, CX: 324.8, CY: 233.6, D: []float64{-0.02, 0.006, -0.003, 0.0005}},
	} {
		t.Run(string(truth.Model), func(t *testing.T) {
			folder := t.TempDir()
			views := session(t, folder, truth, 14)
			peer := ask(t, folder, truth.Model)
			var both []cam.View
			for _, v := range views {
				if _, ok := peer.Corners[v.Name]; ok {
					both = append(both, v)
				}
			}
			if len(both) < 10 || len(both) != len(peer.Corners) {
				t.Fatalf("OpenCV finds %d boards, we %d", len(peer.Corners), len(views))
			}
			begin := time.Now()
			got, err := cam.Calibrate(both, cam.Options{Width: 640, Height: 480, Model: truth.Model, KeepAll: true})
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(begin)
			c := got.Camera
			for i, e := range []float64{c.FX/peer.K[0] - 1, c.FY/peer.K[4] - 1, (c.CX - peer.K[2]) / c.FX, (c.CY - peer.K[5]) / c.FX} {
				if math.Abs(e) > 0.002 {
					t.Errorf("%s differs by %.3f %%", truth.Model.Names()[i], 100*e)
				}
			}
			if got.RMS > peer.RMS*1.0001 {
				t.Errorf("reprojection error %.5f px, OpenCV's %.5f", got.RMS, peer.RMS)
			}
			t.Logf("%d views: ours %.4f px in %v, OpenCV %.4f px in %.2f s; K %.2f %.2f %.2f %.2f, OpenCV %.2f %.2f %.2f %.2f, truth %.2f %.2f %.2f %.2f",
				len(both), got.RMS, took, peer.RMS, peer.Seconds, c.FX, c.FY, c.CX, c.CY, peer.K[0], peer.K[4], peer.K[2], peer.K[5], truth.FX, truth.FY, truth.CX, truth.CY)
		})
	}
}

// TestSameCornersThroughOpenCV: on OpenCV's own corners both searches end at the same place, to the last digits that
// matter, and P is the same.
func TestSameCornersThroughOpenCV(t *testing.T) {
	truth := cam.Camera{Width: 640, Height: 480, Model: cam.PlumbBob, FX: 561.3, FY: 556.8, CX: 331.2, CY: 236.4, D: []float64{-0.213, 0.072, 0.0012, -0.0008, 0}}
	folder := t.TempDir()
	session(t, folder, truth, 14)
	peer := ask(t, folder, cam.PlumbBob)
	var views []cam.View
	for name, corners := range peer.Corners {
		v := cam.View{Name: name}
		for k, p := range corners {
			v.Points = append(v.Points, cam.Point{X: float64(k%board.Cols) * board.Square, Y: float64(k/board.Cols) * board.Square, U: p[0], V: p[1]})
		}
		views = append(views, v)
	}
	got, err := cam.Calibrate(views, cam.Options{Width: 640, Height: 480, KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range append([]float64{peer.K[0], peer.K[4], peer.K[2], peer.K[5]}, peer.D...) {
		if v := got.Camera.Vector()[i]; math.Abs(v-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("%s %.6f, OpenCV %.6f", cam.PlumbBob.Names()[i], v, want)
		}
	}
	if math.Abs(got.RMS-peer.RMS) > 1e-5 {
		t.Errorf("reprojection error %.6f, OpenCV %.6f", got.RMS, peer.RMS)
	}
	// Given OpenCV's intrinsics, P is OpenCV's.
	c := got.Camera
	c.FX, c.FY, c.CX, c.CY, c.D = peer.K[0], peer.K[4], peer.K[2], peer.K[5], peer.D
	p, err := c.Projection()
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range []int{0, 5, 2, 6} {
		if want := []float64{peer.P[0], peer.P[4], peer.P[2], peer.P[5]}[i]; math.Abs(p[k]-want) > 0.05 {
			t.Errorf("P[%d] = %.4f, OpenCV %.4f", k, p[k], want)
		}
	}
}
