// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/webots/wire"
)

// painter draws what a camera shows, as vcamera.Camera does.
type painter interface{ Picture(frame []byte) }

// camera shows the world, made smaller: four bytes a pixel, blue, green, red and alpha. Controllers of this machine
// have it in a file, others in their answers.
type camera struct {
	sampler
	width, height int
	from          painter
	folder        string // for the file; "": the controller comes over TCP
	file          *os.File
	frame, pixels []byte
}

func newCamera(cfg *Config, b *body) *camera {
	c := &camera{
		sampler: sampler{part: part{name: "camera", kind: wire.Camera}},
		width:   cfg.CameraWidth, height: cfg.CameraHeight,
	}
	c.from, _ = b.agent.Camera().(painter)
	if !b.session.remote {
		c.folder = b.server.folder.pages
	}
	return c
}

// configure implements device.
func (c *camera) configure(a *wire.Answer) {
	fov := 2 * math.Atan(vcamera.Width/2/vcamera.FocalX)
	a.Int32(int32(c.tag)) // a number of its own
	a.Uint16(uint16(c.width))
	a.Uint16(uint16(c.height))
	a.Doubles(fov, 0.0055) // horizontal field of view, rad; near plane, m
	a.Bool(true)           // planar
	a.Doubles(fov, fov)    // no zoom
	a.Bool(false)          // no recognition
	a.Bool(false)          // no segmentation
	a.Doubles(1, 0, 0, 0, 0)
}

// obey implements device.
func (c *camera) obey(b *body, q wire.Command, a *wire.Answer) error {
	switch q.Code {
	case wire.CameraFieldOfView, wire.CameraFocal, wire.CameraExposure:
		b.missing("zoom, focus or exposure of the camera", "they stay")
		return nil
	case wire.CameraRecognitionPeriod, wire.CameraSegmentation:
		b.missing("recognition of objects by the camera", "nothing is recognized")
		return nil
	}
	c.every(q.Number[0], b.server.now)
	if c.period <= 0 || c.pixels != nil {
		return nil
	}
	c.frame, c.pixels = make([]byte, vcamera.FrameSize), make([]byte, 4*c.width*c.height)
	return c.share(b, a)
}

// share makes the file and tells the controller of it.
func (c *camera) share(b *body, a *wire.Answer) error {
	if c.folder == "" {
		return nil
	}
	name := filepath.Join(c.folder, fmt.Sprintf("%d-%s", c.tag, wire.EncodeName(b.agent.Name())))
	var err error
	if c.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, err)
	}
	if _, err = c.file.WriteAt(c.pixels, 0); err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, err)
	}
	a.Begin(c.tag, wire.CameraFile)
	a.Int32(int32(len(c.pixels)))
	a.String(name)
	return nil
}

// measure implements device.
func (c *camera) measure(b *body, a *wire.Answer) {
	if !c.due(b.server.now) || c.from == nil {
		return
	}
	c.from.Picture(c.frame)
	c.shrink()
	if c.folder == "" {
		a.Picture(c.tag, c.pixels)
		return
	}
	if _, err := c.file.WriteAt(c.pixels, 0); err != nil {
		b.missing("pictures", err.Error())
	}
}

// shrink makes pixels of the frame, each the mean of those it covers.
func (c *camera) shrink() {
	for y := range c.height {
		top, bottom := y*vcamera.Height/c.height, (y+1)*vcamera.Height/c.height
		for x := range c.width {
			left, right := x*vcamera.Width/c.width, (x+1)*vcamera.Width/c.width
			p := c.pixels[4*(y*c.width+x):]
			p[2], p[1], p[0] = c.mean(left, right, top, bottom)
			p[3] = 255
		}
	}
}

// mean is the colour of a part of the frame: YUYV, BT.601 with all values.
func (c *camera) mean(left, right, top, bottom int) (r, g, b byte) {
	var luma, blue, red int
	for y := top; y < bottom; y++ {
		row := c.frame[2*vcamera.Width*y:]
		for x := left; x < right; x++ {
			pair := row[2*(x&^1):]
			luma, blue, red = luma+int(row[2*x]), blue+int(pair[1]), red+int(pair[3])
		}
	}
	n := float64((right - left) * (bottom - top))
	l, u, v := float64(luma)/n, float64(blue)/n-128, float64(red)/n-128
	part := func(v float64) byte { return byte(max(0, min(255, math.Round(v)))) }
	return part(l + float64(1.402*v)), part(l - float64(0.344136*u) - float64(0.714136*v)), part(l + float64(1.772*u))
}

// close removes the file.
func (c *camera) close() error {
	if c.file == nil {
		return nil
	}
	err := errors.Join(c.file.Close(), os.Remove(c.file.Name()))
	c.file = nil
	return err
}
