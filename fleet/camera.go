// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// lazyCamera is the camera of a functional robot, which has no memory for pictures before it is used.
type lazyCamera struct{ simulated controllable }

var _ camera.Device = lazyCamera{}

// openCamera returns the camera that a parameter names.
func (f *functional) openCamera(device string) (camera.Device, error) {
	if device != "auto" {
		return nil, fmt.Errorf("%w: %q; the simulated robot has one camera, \"auto\"", camera.ErrNoDevice, device)
	}
	return lazyCamera{f.simulated}, nil
}

// lens returns the calibration of the robot's camera.
func (f *functional) lens() *caminfo.Calibration {
	lens := caminfo.Ideal("pipuck", vcamera.Width, vcamera.Height, vcamera.FocalX, vcamera.FocalY, vcamera.CenterX, vcamera.CenterY)
	lens.D = f.simulated.LensDistortion()
	return lens
}

// Name implements camera.Device.
func (c lazyCamera) Name() string { return c.simulated.Camera().Name() }

// Modes implements camera.Device.
func (c lazyCamera) Modes(ctx context.Context) ([]camera.Mode, error) {
	return c.simulated.Camera().Modes(ctx)
}

// Open implements camera.Device.
func (c lazyCamera) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	return c.simulated.Camera().Open(ctx, want)
}
