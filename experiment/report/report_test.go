// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// recorded returns the recorder of six avoiding robots after some seconds.
func recorded(t *testing.T) *report.Recorder {
	t.Helper()
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	w.Robots[0].Level = world.LevelFunctional
	if err := sim.Distribute(w, 6, sim.Uniform, 1); err != nil {
		t.Fatal(err)
	}
	maker, err := swarm.Named("avoid", nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := swarm.New(w, swarm.Config{Controller: maker})
	if err != nil {
		t.Fatal(err)
	}
	r := report.New("six <robots>")
	run.Watch(r.Observe)
	if err := run.Advance(context.Background(), 5500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReport(t *testing.T) {
	r := recorded(t)
	path := filepath.Join(t.TempDir(), "run")
	if err := r.Write(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 7 || rows[0][0] != "time_s" || rows[1][0] != "0.1" || rows[6][0] != "5.1" || rows[6][1] != "6" {
		t.Errorf("rows %v", rows)
	}
	page, err := os.ReadFile(path + ".html")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if n := strings.Count(text, "<svg"); n != 4 {
		t.Errorf("%d plots", n)
	}
	if n := strings.Count(text, "<polyline"); n != 6+3 {
		t.Errorf("%d lines", n)
	}
	for _, outside := range []string{"<script", "href=", "src=", "url(", "@import", "<robots>"} {
		if strings.Contains(text, outside) {
			t.Errorf("the page has %q in it", outside)
		}
	}
}

// A plot of any numbers is well-formed.
func TestPlot(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, p := range []report.Plot{
		{}, {Lines: []report.Line{{}}}, {Title: "<&>", X: "<&>", Y: "<&>"},
		{Lines: []report.Line{{X: []float64{1, nan, 2}, Y: []float64{inf, 1, 3}, Low: []float64{nan, 0, 2}, High: []float64{1, 2, 4}}}},
		{Square: true, Zero: true, Lines: []report.Line{{X: []float64{5}, Y: []float64{7}}}},
	} {
		var b bytes.Buffer
		p.Draw(&b)
		d := xml.NewDecoder(&b)
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
		}
	}
}

// A file that can't be written leaves no temporary file, and the old file remains.
func TestWhole(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	if err := report.Whole(path, func(w io.Writer) error { _, err := w.Write([]byte("good")); return err }); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := report.Whole(path, func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "good" {
		t.Errorf("%q, %v", b, err)
	}
	if names, err := os.ReadDir(folder); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	if err := report.Whole(filepath.Join(folder, "no", "a"), func(io.Writer) error { return nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestWholeKeepsLinksAndDevices(t *testing.T) {
	folder := t.TempDir()
	file, link, device := filepath.Join(folder, "file"), filepath.Join(folder, "link"), filepath.Join(folder, "device")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink(file, link), os.Symlink("/dev/null", device)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, device} {
		if err := report.Whole(path, func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }); err != nil {
			t.Error(err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", path, info, err)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
}

func Example() {
	p := report.Plot{Title: "a line", Lines: []report.Line{{X: []float64{0, 1}, Y: []float64{0, 1}}}}
	p.Draw(io.Discard)
	// Output:
}
