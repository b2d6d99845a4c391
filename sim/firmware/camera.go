// SPDX-License-Identifier: Apache-2.0

package firmware

import (
	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Camera returns the robot's camera as the Raspberry Pi has it, the same at every call: YUYV, 640×480, 15 frames/s. It
// shows something once the camera's sensor has been set up through the bus.
func (r *Robot) Camera() camera.Device { return r.d.camera }

// InjectCamera sets what is wrong with the camera between its sensor and the Raspberry Pi; the zero value mends it.
// It fails as [vcamera.Camera.Inject] does. What is wrong with the sensor: Remove, Bus().FaultsAt(0x21).
func (r *Robot) InjectCamera(f vcamera.Faults) error { return r.d.camera.Inject(f) }

// Picture draws what the camera would show now, upright and well exposed, in any state of it and its sensor: YUYV
// of 640×480, two bytes a pixel, BT.601 with all values. It reuses the memory of dst if that is large enough.
func (r *Robot) Picture(dst []byte) []byte { return functional.PictureOf(r.d.camera, dst) }

// CameraOutput returns what picture the camera's sensor gives as it is set up
// now, and whether there is a sensor.
func (r *Robot) CameraOutput() (vcamsensor.Output, bool) {
	if !r.d.carries(world.Camera) {
		return vcamsensor.Output{}, false
	}
	r.d.World().Enter()
	defer r.d.World().Unlock()
	for _, d := range r.d.devices.list {
		if c, ok := d.chip.(interface{ Output() vcamsensor.Output }); ok {
			return c.Output(), true
		}
	}
	return vcamsensor.Output{}, false
}
