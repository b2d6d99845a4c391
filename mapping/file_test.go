// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The bytes of map_saver for this map: top row first, 254 free, 0 occupied, 205 unknown.
func TestSavedAsMapSaverDoes(t *testing.T) {
	m := picture(t, Frame{Resolution: 0.05, X: -1, Y: 2}, "#. ", " .#")
	name := filepath.Join(t.TempDir(), "map")
	must(t, m.Save(name, FileOptions{}))
	pgm, err := os.ReadFile(name + ".pgm")
	must(t, err)
	if want := "P5\n# cells of 0.05 m\n3 2\n255\n\x00\xfe\xcd\xcd\xfe\x00"; string(pgm) != want {
		t.Errorf("%q, want %q", pgm, want)
	}
	text, err := os.ReadFile(name + ".yaml")
	must(t, err)
	want := "image: map.pgm\nmode: trinary\nresolution: 0.05\norigin: [-1, 2, 0]\nnegate: 0\n" +
		"occupied_thresh: 0.65\nfree_thresh: 0.196\n"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}

// What each mode keeps comes back; saving twice leaves the newer and no other file.
func TestSaveAndLoad(t *testing.T) {
	if _, err := os.Stat("/dev/shm"); err == nil { // each file is written through to its disk
		t.Setenv("TMPDIR", "/dev/shm")
	}
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		m := &Map{Frame: Frame{Resolution: 0.02, X: -0.5, Y: 0.25}}
		m.Width, m.Height = rapid.IntRange(1, 9).Draw(t, "w"), rapid.IntRange(1, 9).Draw(t, "h")
		m.Cells = rapid.SliceOfN(rapid.Map(rapid.IntRange(-1, 100), func(v int) int8 { return int8(v) }),
			m.Width*m.Height, m.Width*m.Height).Draw(t, "cells")
		o := FileOptions{FreeThreshold: 0.196, Mode: rapid.SampledFrom([]Mode{"", Trinary, Scale, Raw}).Draw(t, "mode")}
		if o.Mode != Scale {
			o.Format = rapid.SampledFrom([]string{"", "pgm", "png"}).Draw(t, "format")
		}
		name := filepath.Join(dir, "m")
		if err := m.Save(name, o); err != nil {
			t.Fatal(err)
		}
		got, err := Load(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		want := *m
		want.Cells = make([]int8, len(m.Cells))
		for i, v := range m.Cells {
			want.Cells[i] = kept(v, o.Mode)
		}
		for i := range got.Cells { // 8 bits for a probability
			if d := int(got.Cells[i]) - int(want.Cells[i]); o.Mode == Scale && want.Cells[i] > 0 && max(d, -d) == 1 {
				got.Cells[i] = want.Cells[i]
			}
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Fatal(diff)
		}
	})
	files, err := os.ReadDir(dir)
	must(t, err)
	if len(files) > 3 { // m.yaml, m.pgm, m.png
		t.Errorf("%v", files)
	}
}

// kept is what a mode keeps of a cell.
func kept(v int8, mode Mode) int8 {
	switch {
	case v == Unknown || mode == Raw:
		return v
	case float64(v)/100 <= 0.196:
		return Free
	case v >= 65:
		return Occupied
	case mode == Scale:
		return int8(1 + 98*(float64(v)/100-0.196)/(0.65-0.196) + 0.5)
	default:
		return Unknown
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// Maps as other programs write them.
func TestLoadOthers(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p2.pgm"), "P2 # by hand\n2 1\n# black, white\n15\n0 15\n")
	for _, c := range []struct {
		text string
		want []int8
	}{
		{"image: p2.pgm\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n", []int8{100, 0}},
		{"image: p2.pgm\nresolution: 0.1\norigin: [0.0, 0.0, 0.0]\nnegate: 1\n", []int8{0, 100}},
		{"image: p2.pgm\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: false\nmode: raw\n", []int8{0, -1}},
		{"image: " + filepath.Join(dir, "p2.pgm") + "\nresolution: 0.1\norigin: [0, 0, 0]\n", []int8{100, 0}},
	} {
		write(t, filepath.Join(dir, "m.yaml"), c.text)
		m, err := Load(filepath.Join(dir, "m.yaml"))
		must(t, err)
		if diff := cmp.Diff(c.want, m.Cells); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

// Errors name what is wrong.
func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ok.pgm"), "P5 1 1 255\n\x00")
	write(t, filepath.Join(dir, "short.pgm"), "P5 3 3 255\n\x00")
	write(t, filepath.Join(dir, "huge.pgm"), "P5 999999 999999 255\n\x00")
	write(t, filepath.Join(dir, "deep.pgm"), "P5 1 1 65535\n\x00\x00")
	write(t, filepath.Join(dir, "bright.pgm"), "P2 1 1 3\n4\n")
	write(t, filepath.Join(dir, "gif.png"), "GIF89a")
	rest := "\nresolution: 0.1\norigin: [0, 0, 0]\n"
	for text, says := range map[string]string{
		"image: ok.pgm\nresolution: 0\n":                     "resolution 0",
		"image: ok.pgm\nresolution: 0.1\norigin: [.nan,0,0]": "origin",
		"resolution: 0.1\n":                                  "no image",
		"image: ok.pgm\nmode: colour" + rest:                 `mode "colour"`,
		"image: ok.pgm\nnegate: maybe" + rest:                "negate",
		"image: ok.pgm\nfree_thresh: 0.9" + rest:             "free_thresh 0.9",
		"image: none.pgm" + rest:                             "none.pgm",
		"image: short.pgm" + rest:                            "1 bytes for 3 × 3",
		"image: huge.pgm" + rest:                             "999999",
		"image: deep.pgm" + rest:                             "white is 65535",
		"image: bright.pgm" + rest:                           "pixel 0 is 4 of 3",
		"image: gif.png" + rest:                              "png",
		"image: [":                                           "yaml",
	} {
		write(t, filepath.Join(dir, "m.yaml"), text)
		_, err := Load(filepath.Join(dir, "m.yaml"))
		known := errors.Is(err, errFile) || errors.Is(err, ErrSize) || errors.Is(err, os.ErrNotExist)
		if !known || !strings.Contains(err.Error(), says) {
			t.Errorf("%q gives %v, want %q", text, err, says)
		}
	}
}

func TestSaveRefuses(t *testing.T) {
	m := picture(t, Frame{Resolution: 0.1}, "#")
	name := filepath.Join(t.TempDir(), "m")
	for _, o := range []FileOptions{
		{Mode: "other"}, {Format: "bmp"}, {Mode: Scale, Format: "pgm"}, {FreeThreshold: 0.7},
	} {
		if err := m.Save(name, o); !errors.Is(err, errFile) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := m.Save(filepath.Join(name, "no", "folder"), FileOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(name + "*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if err := (&Map{Frame: m.Frame}).Save(name, FileOptions{}); !errors.Is(err, ErrSize) {
		t.Errorf("no cells: %v", err)
	}
}

// No picture, however broken, costs more than its size or ends the program.
func FuzzDecode(f *testing.F) {
	m := &Map{Frame: Frame{Resolution: 0.1, Width: 2, Height: 1}, Cells: []int8{0, 100}}
	for _, format := range []string{"pgm", "png"} {
		data, err := m.encode(&description{Mode: Trinary, OccupiedThreshold: 0.65, FreeThreshold: 0.25}, format)
		must(f, err)
		f.Add(data)
	}
	f.Add([]byte("P2\n#\n2 2 255 1 2 3 4"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := description{Image: "x", Resolution: 0.1, OccupiedThreshold: 0.65, FreeThreshold: 0.25, Mode: Scale}
		got, err := decode(&d, data)
		if err != nil {
			if !errors.Is(err, errFile) && !errors.Is(err, ErrSize) {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(got.Cells) != got.Width*got.Height {
			t.Fatalf("%d cells for %+v", len(got.Cells), got.Frame)
		}
	})
}

// Whatever the thresholds, a cell of which nothing is known stays so.
func TestUnknownStaysUnknown(t *testing.T) {
	m := picture(t, Frame{Resolution: 0.1}, "# .")
	name := filepath.Join(t.TempDir(), "m")
	for _, o := range []FileOptions{
		{}, {FreeThreshold: 0.25}, {FreeThreshold: 0.6}, {FreeThreshold: 0.01, OccupiedThreshold: 0.1}, {OccupiedThreshold: 0.99},
	} {
		must(t, m.Save(name, o))
		got, err := Load(name + ".yaml")
		must(t, err)
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("%+v: %s", o, diff)
		}
	}
}
