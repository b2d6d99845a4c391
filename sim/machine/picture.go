// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// cameraRenderer renders the pictures of a camera at its current height.
type cameraRenderer struct {
	above    float64
	renderer *vcamera.Renderer
}

// checkCamera rejects a camera whose pictures can't be rendered.
func (d *device) checkCamera() error {
	if d.desc.Kind != description.Camera {
		return nil
	}
	i := d.desc.Image
	if _, err := vcamera.NewLens(i.Width, i.Height, i.FieldOfView, 0); err != nil {
		return fmt.Errorf("%w: line %d: camera %q: %w", ErrModel, d.desc.Line, d.desc.Name, err)
	}
	return nil
}

// Picture implements Devices. A camera's view is horizontal: its pitch and roll are ignored.
func (m *Machine) Picture(i int, dst []byte) []byte {
	d, err := m.device(i)
	if err != nil || d.desc.Kind != description.Camera || m.absent(d) {
		return nil
	}
	w := m.mount(d)
	if d.camera == nil || d.camera.above != w.height {
		lens, err := vcamera.NewLens(d.desc.Image.Width, d.desc.Image.Height, d.desc.Image.FieldOfView, w.height)
		if err != nil { // checkCamera has excluded that
			return nil
		}
		d.camera = &cameraRenderer{w.height, vcamera.NewRendererOf(lens)}
	}
	ahead := geom.Vec{X: w.axes[0].X, Y: w.axes[0].Y}
	if n := ahead.Norm(); n > 0 {
		ahead = ahead.Scale(1 / n)
	}
	m.env.Scenery(&m.scene)
	return d.camera.renderer.BGRA(dst, &m.scene, w.at, ahead)
}
