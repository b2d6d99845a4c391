// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// camera shows the world: four bytes a pixel, blue, green, red and alpha.
type camera struct {
	sampler
	*page
	width, height int
	fov, near     float64             // horizontally, rad; m
	draw          func(pixels []byte) // the world is not held; nil: there is nothing to be seen
}

// configure implements device.
func (c *camera) configure(a *wire.Answer) {
	a.Int32(int32(c.tag)) // a number of its own
	a.Uint16(uint16(c.width))
	a.Uint16(uint16(c.height))
	a.Doubles(c.fov, c.near)
	a.Bool(true)             // planar
	a.Doubles(c.fov, c.fov)  // no zoom
	a.Bool(false)            // no recognition
	a.Bool(false)            // no segmentation
	a.Doubles(1, 0, 0, 0, 0) // exposure, no focus
}

// execute implements device.
func (c *camera) execute(b *body, q wire.Command, a *wire.Answer) error {
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
	return c.open(b, c.tag, 4*c.width*c.height, a)
}

// measure implements device.
func (c *camera) measure(b *body, a *wire.Answer) {
	if c.due(b.server.now) && c.draw != nil {
		c.draw(c.pixels)
		c.show(b, c.tag, a)
	}
}

// newCamera makes an e-puck2's camera, whose pictures are made smaller.
func newCamera(b *body, e *epuck) *camera {
	cfg, fov := &b.server.cfg, 2*math.Atan(vcamera.Width/2/vcamera.FocalX)
	c := &camera{
		sampler: sampler{part: part{name: "camera", kind: wire.Camera}}, page: newPage(b),
		width: cfg.CameraWidth, height: cfg.CameraHeight, fov: fov, near: 0.0055,
	}
	var frame []byte
	c.draw = func(pixels []byte) {
		frame = e.Picture(frame)
		shrink(frame, pixels, c.width, c.height)
	}
	return c
}

// shrink makes pixels of the frame, each the mean of those it covers.
func shrink(frame, pixels []byte, width, height int) {
	for y := range height {
		top, bottom := y*vcamera.Height/height, (y+1)*vcamera.Height/height
		for x := range width {
			left, right := x*vcamera.Width/width, (x+1)*vcamera.Width/width
			p := pixels[4*(y*width+x):]
			p[2], p[1], p[0] = mean(frame, left, right, top, bottom)
			p[3] = 255
		}
	}
}

// mean is the colour of a part of a frame: YUYV, BT.601 with all values.
func mean(frame []byte, left, right, top, bottom int) (r, g, b byte) {
	var luma, blue, red int
	for y := top; y < bottom; y++ {
		row := frame[2*vcamera.Width*y:]
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
