// SPDX-License-Identifier: Apache-2.0

package functional

import (
	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// NewCamera makes the camera of an e-puck2 whose sensor is set up by output.
func (e *Body) NewCamera(output func() vcamsensor.Output, src noise.Source) *vcamera.Camera {
	x := e.World()
	return vcamera.New(vcamera.Config{
		Name: "sim:" + e.Name() + " (simulated Pi-puck Camera Interface)", Viewpoint: eye{e, output},
		Now: x.Config.Now, Wait: x.Config.Wait, Noise: src, Optics: e.optics(),
		Floor: func() *vcamera.Floor {
			if f := x.Physics.Floor(); f != nil { // never changes
				return vcamera.NewFloor(f)
			}
			return nil
		},
	})
}

// optics returns those of the robot's camera. In a quiet world it has no noise.
func (e *Body) optics() vcamera.Optics {
	m := &e.Made().CameraModel
	o := vcamera.Optics{Distortion: vcamera.Distortion(m.Distortion), Vignetting: m.Vignetting, Noise: m.Noise}
	if e.World().Config.Quiet {
		o.Noise = 0
	}
	return o
}

// Camera returns the robot's camera, the same at every call. It needs no setting up.
func (r *Robot) Camera() camera.Device { return r.ownCamera() }

func (r *Robot) ownCamera() *vcamera.Camera {
	d, x := &r.d, r.d.World()
	x.Lock()
	defer x.Unlock()
	if d.camera == nil {
		ready := vcamsensor.Output{YUYV: true, Width: vcamera.Width, Height: vcamera.Height, Rate: vcamera.FrameRate}
		d.camera = d.NewCamera(func() vcamsensor.Output { return ready }, x.Source(d.Name()).Named("camera"))
	}
	return d.camera
}

// Picture draws what the camera shows now, upright and well exposed: YUYV of 640×480, two bytes a pixel,
// BT.601 with all values. It reuses the memory of dst if that is large enough.
func (r *Robot) Picture(dst []byte) []byte { return PictureOf(r.ownCamera(), dst) }

// PictureOf draws what a camera shows now: see Picture.
func PictureOf(c *vcamera.Camera, dst []byte) []byte {
	if cap(dst) < vcamera.FrameSize {
		dst = make([]byte, vcamera.FrameSize)
	}
	dst = dst[:vcamera.FrameSize]
	c.Picture(dst)
	return dst
}

// eye is an e-puck2's view of the world.
type eye struct {
	e      *Body
	output func() vcamsensor.Output
}

// Output implements vcamera.Viewpoint.
func (v eye) Output() vcamsensor.Output { return v.output() }

// See implements vcamera.Viewpoint.
func (v eye) See(to *vcamera.Scene) geom.Pose {
	x := v.e.World()
	x.Enter()
	defer x.Unlock()
	x.Draw(to, &v.e.Unit)
	to.Aloft = v.e.InAir()
	return v.e.Chassis.Pose()
}

// glow returns the colours of the LEDs clockwise from the front: every second is red only.
func glow(l vmcu.LEDs) (c [8]vcamera.RGB) {
	part := func(percent uint8) uint8 { return uint8(int(percent) * 255 / 100) }
	red := scene.ColourOf(robot.RedLED())
	for i := range l.Red {
		if l.Red[i] {
			c[2*i] = red
		}
		rgb := l.RGB[i]
		c[2*i+1] = vcamera.RGB{R: part(rgb[0]), G: part(rgb[1]), B: part(rgb[2])}
	}
	return c
}
