// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// lazyCamera is the camera of a functional robot, which has no memory for pictures before it is used.
type lazyCamera struct{ agent *sim.Functional }

var _ camera.Device = lazyCamera{}

// openCamera returns the camera that a parameter names.
func (f *functional) openCamera(device string) (camera.Device, error) {
	if device != "auto" {
		return nil, fmt.Errorf("%w: %q; the simulated robot has one camera, \"auto\"", camera.ErrNoDevice, device)
	}
	return lazyCamera{f.agent}, nil
}

// lens returns the calibration of the robot's camera.
func (f *functional) lens() *caminfo.Calibration {
	lens := caminfo.Ideal("pipuck", vcamera.Width, vcamera.Height, vcamera.FocalX, vcamera.FocalY, vcamera.CenterX, vcamera.CenterY)
	lens.D = f.agent.LensDistortion()
	return lens
}

// Name implements camera.Device.
func (c lazyCamera) Name() string { return c.agent.Camera().Name() }

// Modes implements camera.Device.
func (c lazyCamera) Modes(ctx context.Context) ([]camera.Mode, error) {
	return c.agent.Camera().Modes(ctx)
}

// Open implements camera.Device.
func (c lazyCamera) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	return c.agent.Camera().Open(ctx, want)
}
