// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// picture returns a PNG file.
func picture(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// twoByTwo is black and white above, half grey and nothing below.
func twoByTwo() image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	m.Set(0, 0, color.Black)
	m.Set(1, 0, color.White)
	m.Set(0, 1, color.Gray{128})
	m.Set(1, 1, color.Transparent)
	return m
}

const pictured = "robots: [{name: r}]\nfloor:\n  reflectance: 0.2\n  image: floor.png\n  resolution: 0.5\n"

func TestPicture(t *testing.T) {
	files := fstest.MapFS{
		"w/world.yaml": {Data: []byte(pictured)},
		"w/floor.png":  {Data: picture(t, twoByTwo())},
	}
	w, err := world.LoadFS(files, "w/world.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := w.Floor.Picture
	if p.Bounds() != image.Rect(0, 0, 2, 2) || !bytes.Equal(p.Pix, []byte{0, 255, 128, 51}) {
		t.Errorf("%v, %v", p.Bounds(), p.Pix)
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
	w.Floor.Resolution = 0
	if err := w.Check(); !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), "floor.resolution") {
		t.Errorf("no resolution: %v", err)
	}
}

// header returns the beginning of a PNG file of a size.
func header(width, height uint32) []byte {
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	chunk = append(binary.BigEndian.AppendUint32(chunk, height), 8, 0, 0, 0, 0)
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(chunk))
}

func TestPictureRefused(t *testing.T) {
	good := picture(t, twoByTwo())
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"missing":   {nil, "world.yaml:4:10: floor.image: "},
		"no PNG":    {[]byte("this is not a picture"), "floor.image: floor.png: png: "},
		"cut short": {good[:len(good)-20], "floor.image: floor.png: "},
		"huge":      {header(4000, 4000), "4000 by 4000 pixels"},
		"too long":  {append(bytes.Clone(good), make([]byte, world.MaxPictureSize)...), "over 4194304 bytes"},
	} {
		files := fstest.MapFS{"world.yaml": {Data: []byte(pictured)}}
		if c.data != nil {
			files["floor.png"] = &fstest.MapFile{Data: c.data}
		}
		_, err := world.LoadFS(files, "world.yaml")
		if !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := world.LoadFS(fstest.MapFS{}, "world.yaml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no world: %v", err)
	}
}

// A picture is read from the world's folder and not from elsewhere.
func TestPictureStaysInTheFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("floor.png", picture(t, twoByTwo()))
	write("in/pictures/floor.png", picture(t, twoByTwo()))
	for image, ok := range map[string]bool{
		"pictures/floor.png": true, "../floor.png": false, filepath.Join(dir, "floor.png"): false, "none.png": false,
	} {
		path := write("in/world.yaml", []byte(strings.Replace(pictured, "floor.png", image, 1)))
		if _, err := world.LoadFile(path); (err == nil) != ok {
			t.Errorf("%s: %v", image, err)
		}
	}
}

// Whatever a picture holds, it is read or refused.
func FuzzPicture(f *testing.F) {
	f.Add(picture(f, twoByTwo()))
	f.Add(picture(f, image.NewPaletted(image.Rect(0, 0, 3, 1), color.Palette{color.White, color.Black})))
	f.Add(picture(f, image.NewGray16(image.Rect(0, 0, 1, 5))))
	f.Add(header(1<<31-1, 1<<31-1))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := world.LoadFS(fstest.MapFS{
			"world.yaml": {Data: []byte(pictured)}, "floor.png": {Data: data},
		}, "world.yaml")
		switch {
		case err != nil && !errors.Is(err, world.ErrWorld):
			t.Fatal(err)
		case err == nil && len(w.Floor.Picture.Pix) != w.Floor.Picture.Rect.Dx()*w.Floor.Picture.Rect.Dy():
			t.Fatalf("%d bytes for %v", len(w.Floor.Picture.Pix), w.Floor.Picture.Rect)
		}
	})
}
