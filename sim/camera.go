// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// colourOf returns a colour of the world as the camera has it.
func colourOf(rgb [3]uint8) vcamera.RGB { return vcamera.RGB{R: rgb[0], G: rgb[1], B: rgb[2]} }

// newCamera makes the camera of an e-puck2 whose sensor is set up by output.
func newCamera(e *epuck, output func() vcamsensor.Output, src noise.Source) *vcamera.Camera {
	s := e.sim
	return vcamera.New(vcamera.Config{
		Name: "sim:" + e.name + " (simulated Pi-puck Camera Interface)", Viewpoint: eye{e, output},
		Now: s.opts.Now, Wait: s.opts.Wait, Noise: src, Optics: e.optics(),
		Floor: func() *vcamera.Floor {
			if f := s.scene.Floor(); f != nil { // never changes
				return vcamera.NewFloor(f)
			}
			return nil
		},
	})
}

// optics returns those of the unit's camera. In a quiet world it has no noise.
func (u *unit) optics() vcamera.Optics {
	m := &u.made.CameraModel
	o := vcamera.Optics{Distortion: vcamera.Distortion(m.Distortion), Vignetting: m.Vignetting, Noise: m.Noise}
	if u.sim.opts.Quiet {
		o.Noise = 0
	}
	return o
}

// LensDistortion returns the coefficients k1, k2, p1, p2 and k3 of the camera's lens, as sensor_msgs/CameraInfo has
// them for the model plumb_bob.
func (u *unit) LensDistortion() []float64 {
	d := &u.made.CameraModel.Distortion
	return []float64{d.K1, d.K2, d.P1, d.P2, d.K3}
}

// Camera returns the robot's camera as the Raspberry Pi has it, the same at every call: YUYV, 640×480, 15 frames/s. It
// shows something once the camera's sensor has been set up through the bus.
func (r *Firmware) Camera() camera.Device { return r.camera }

// InjectCamera sets what is wrong with the camera between its sensor and the Raspberry Pi; the zero value mends it.
// It fails as [vcamera.Camera.Inject] does. What is wrong with the sensor: Remove, Bus().FaultsAt(0x21).
func (r *Firmware) InjectCamera(f vcamera.Faults) error { return r.camera.Inject(f) }

// Camera returns the robot's camera, the same at every call. It needs no setting up.
func (r *Functional) Camera() camera.Device { return r.ownCamera() }

func (r *Functional) ownCamera() *vcamera.Camera {
	s := r.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.camera == nil {
		ready := vcamsensor.Output{YUYV: true, Width: vcamera.Width, Height: vcamera.Height, Rate: vcamera.FrameRate}
		r.camera = newCamera(&r.epuck, func() vcamsensor.Output { return ready }, s.root.Named(r.name).Named("camera"))
	}
	return r.camera
}

// Picture draws what the camera would show now, upright and well exposed, in any state of it and its sensor: YUYV
// of 640×480, two bytes a pixel, BT.601 with all values. It reuses the memory of dst if that is large enough.
func (r *Firmware) Picture(dst []byte) []byte { return pictureOf(r.camera, dst) }

// Picture draws what the camera shows now, as that of a [Firmware].
func (r *Functional) Picture(dst []byte) []byte { return pictureOf(r.ownCamera(), dst) }

func pictureOf(c *vcamera.Camera, dst []byte) []byte {
	if cap(dst) < vcamera.FrameSize {
		dst = make([]byte, vcamera.FrameSize)
	}
	dst = dst[:vcamera.FrameSize]
	c.Picture(dst)
	return dst
}

// CameraOutput returns what picture the camera's sensor gives as it is set up
// now, and whether there is a sensor.
func (r *Firmware) CameraOutput() (vcamsensor.Output, bool) {
	if !r.carries(world.Camera) {
		return vcamsensor.Output{}, false
	}
	r.sim.mu.Lock()
	defer r.sim.mu.Unlock()
	r.sim.catchUp()
	for _, d := range r.devices.list {
		if c, ok := d.chip.(interface{ Output() vcamsensor.Output }); ok {
			return c.Output(), true
		}
	}
	return vcamsensor.Output{}, false
}

// eye is an e-puck2's view of the world.
type eye struct {
	e      *epuck
	output func() vcamsensor.Output
}

// Output implements vcamera.Viewpoint.
func (v eye) Output() vcamsensor.Output { return v.output() }

// See implements vcamera.Viewpoint.
func (v eye) See(to *vcamera.Scene) geom.Pose {
	s := v.e.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	s.scenery(to, &v.e.unit)
	to.Aloft = v.e.inAir
	return v.e.body.Pose()
}

// scenery makes to what is to be seen of the world, except one robot.
func (s *Simulation) scenery(to *vcamera.Scene, except *unit) {
	to.Things, to.Bodies, to.Lamps = to.Things[:0], to.Bodies[:0], to.Lamps[:0]
	for i, n := 0, s.scene.Shapes(); i < n; i++ {
		to.Things = append(to.Things, vcamera.Thing{Shape: s.scene.Shape(i), Colour: s.colours[i]})
	}
	for _, o := range s.units {
		if o != except && !o.inAir {
			o.plant.draw(to)
		}
	}
	for i, n := 0, s.scene.Lights(); i < n; i++ {
		l := s.scene.Light(i)
		to.Lamps = append(to.Lamps, vcamera.Lamp{Position: l.Position, Height: l.Height, Intensity: l.Intensity})
	}
	to.Boards = s.boards
	to.Light = s.scene.Ambient()
}

// glow returns the colours of the LEDs clockwise from the front: every second is red only.
func glow(l vmcu.LEDs) (c [8]vcamera.RGB) {
	part := func(percent uint8) uint8 { return uint8(int(percent) * 255 / 100) }
	red := colourOf(robot.RedLED())
	for i := range l.Red {
		if l.Red[i] {
			c[2*i] = red
		}
		rgb := l.RGB[i]
		c[2*i+1] = vcamera.RGB{R: part(rgb[0]), G: part(rgb[1]), B: part(rgb[2])}
	}
	return c
}
