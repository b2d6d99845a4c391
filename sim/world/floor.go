// SPDX-License-Identifier: Apache-2.0

package world

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"io/fs"
	"math"
)

// Limits of a floor picture.
const (
	// maxPictureSize is the longest picture file that is read, bytes.
	maxPictureSize = 4 << 20
	// maxPixels bounds the pixels of a picture.
	maxPixels = 4 << 20
)

// errNoFile: a world without a file cannot have a picture.
var errNoFile = errors.New("a world that is not read from a file has no picture")

// loadPicture reads the picture of the floor, if it has one.
func loadPicture(w *World, l locator, files fs.FS) error {
	f := w.Floor
	if f == nil || f.Image == "" {
		return nil
	}
	p, err := readPicture(files, f.Image, f.Reflectance)
	if err != nil {
		c := checker{at: l}
		c.fail("%v", []any{err}, "floor", "image")
		return c.err
	}
	f.Picture = p
	return nil
}

// readPicture reads a PNG file as grey on a floor of a reflectance.
func readPicture(files fs.FS, name string, bare float64) (*image.Gray, error) {
	if files == nil {
		return nil, errNoFile
	}
	if info, err := fs.Stat(files, name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", name) // one that is a pipe would be waited for
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, maxPictureSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxPictureSize {
		return nil, fmt.Errorf("%s: over %d bytes", name, maxPictureSize)
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(size.Width)*int64(size.Height) > maxPixels {
		return nil, fmt.Errorf("%s: %d by %d pixels, at most %d together", name, size.Width, size.Height, maxPixels)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	grey := image.NewGray(image.Rect(0, 0, size.Width, size.Height))
	ground := color.Gray{Y: uint8(math.Round(255 * max(0, min(1, bare))))}
	draw.Draw(grey, grey.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	draw.Draw(grey, grey.Bounds(), picture, picture.Bounds().Min, draw.Over)
	return grey, nil
}

// floor checks what is on the floor.
func (c *checker) floor(f *Floor) {
	c.number(f.Reflectance, 0, 1, "floor", "reflectance")
	c.point(f.Origin[:], "floor", "origin")
	if f.Image != "" || f.Picture != nil {
		c.size(f.Resolution, "floor", "resolution")
	}
	if f.Image != "" && f.Picture == nil {
		c.fail("%v", []any{errNoFile}, "floor", "image")
	}
	paint := len(f.Checkers) + len(f.Circles)
	for i := range f.Checkers {
		p := &f.Checkers[i]
		c.point(p.Position[:], "floor", "checkers", i, "position")
		c.size(p.Size[0], "floor", "checkers", i, "size", 0)
		c.size(p.Size[1], "floor", "checkers", i, "size", 1)
		c.number(p.Cell, 0.001, MaxCoordinate, "floor", "checkers", i, "cell")
		c.number(p.Reflectance, 0, 1, "floor", "checkers", i, "reflectance")
	}
	for i := range f.Circles {
		p := &f.Circles[i]
		c.point(p.Position[:], "floor", "circles", i, "position")
		c.size(p.Radius, "floor", "circles", i, "radius")
		c.number(p.Width, 0, MaxCoordinate, "floor", "circles", i, "width")
		c.number(p.Reflectance, 0, 1, "floor", "circles", i, "reflectance")
	}
	for i := range f.Lines {
		c.line(&f.Lines[i], i)
		paint += len(f.Lines[i].Points)
	}
	if paint > maxPaint {
		c.fail("%d checkers, circles and points of lines, at most %d", []any{paint, maxPaint}, "floor")
	}
}

func (c *checker) line(p *Line, i int) {
	if len(p.Points) < 2 {
		c.fail("%d, must be two or more", []any{len(p.Points)}, "floor", "lines", i, "points")
	}
	for k := range p.Points {
		c.point(p.Points[k][:], "floor", "lines", i, "points", k)
	}
	c.size(p.Width, "floor", "lines", i, "width")
	c.number(p.Reflectance, 0, 1, "floor", "lines", i, "reflectance")
}
