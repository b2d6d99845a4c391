// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Viewpoint is where the camera is. Its methods are called from the goroutine that reads frames.
type Viewpoint interface {
	// Output returns what the sensor gives now; the zero value if there is none.
	Output() vcamsensor.Output
	// See fills in what is around now, reusing the memory of s but for the floor, which it leaves, and returns where
	// the robot is.
	See(s *Scene) geom.Pose
}

// Config is what a Camera is made of.
type Config struct {
	// Name returns the camera's name.
	Name string
	// Viewpoint is the world. It must be given.
	Viewpoint Viewpoint
	// Floor makes the floor when the camera is opened for the first time. It defaults to nil: white.
	Floor func() *Floor
	// Now stamps the frames and says when the next one is due. It defaults to time.Now.
	Now func() time.Time
	// Wait waits on that clock, at most until stop is closed. It defaults to a timer of package time.
	Wait func(d time.Duration, stop <-chan struct{})
	// Timeout is how long Read waits for a camera that sends nothing. It defaults to 2 s.
	Timeout time.Duration
	// Optics are those of a real lens and sensor. They default to ideal ones, and are ideal if they can't be drawn.
	Optics Optics
	// Noise chooses the frames that are damaged, and is that of the pixels.
	Noise noise.Source
}

// Camera is the camera as the Raspberry Pi has it. Nothing runs and nothing is drawn but in Read. It is safe for
// concurrent use; like the kernel's it can be opened once at a time.
type Camera struct {
	cfg Config

	mu     sync.Mutex // guards what follows
	faults Faults
	open   *source
	frames uint64 // taken since the beginning, by whatever source

	drawing  sync.Mutex // guards what follows; never taken while mu is held
	renderer *Renderer  // nil until the first picture
	scene    Scene
}

var _ camera.Device = (*Camera)(nil)

// New returns a camera that is plugged in.
func New(cfg Config) *Camera {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Wait == nil {
		cfg.Wait = waitTimer
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 2 * time.Second
	}
	return &Camera{cfg: cfg}
}

// waitTimer waits on the computer's own clock.
func waitTimer(d time.Duration, stop <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-stop:
	}
}

// Name implements camera.Device.
func (c *Camera) Name() string { return c.cfg.Name }

// mode is the only one.
var mode = camera.Mode{Width: Width, Height: Height, Format: camera.YUYV, FrameRate: FrameRate}

// Modes implements camera.Device.
func (c *Camera) Modes(ctx context.Context) ([]camera.Mode, error) {
	if err := c.plugged(ctx); err != nil {
		return nil, err
	}
	return []camera.Mode{mode}, nil
}

func (c *Camera) plugged(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.Faults().Unplugged {
		return fmt.Errorf("%w: %s is unplugged", camera.ErrNoDevice, c.cfg.Name)
	}
	return nil
}

// Open implements camera.Device. Fields of want that are zero match any mode.
func (c *Camera) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	if err := c.plugged(ctx); err != nil {
		return nil, err
	}
	other := func(v, have int) bool { return v != 0 && v != have }
	if other(want.Width, Width) || other(want.Height, Height) || want.Format != 0 && want.Format != camera.YUYV {
		return nil, &camera.ModeError{Want: want, Have: []camera.Mode{mode}}
	}
	s := newSource(c)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open != nil {
		return nil, fmt.Errorf("vcamera: %s: %w", c.cfg.Name, syscall.EBUSY)
	}
	c.open = s
	return s, nil
}

// Picture draws one picture of what is to be seen now, by a camera and a sensor without a fault, into frame,
// FrameSize bytes of YUYV.
func (c *Camera) Picture(frame []byte) { c.draw(frame, Development{}) }

// draw draws what is to be seen now.
func (c *Camera) draw(frame []byte, d Development) {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	if c.renderer == nil {
		var err error
		if c.renderer, err = newRendererWith(c.cfg.Optics, c.cfg.Noise.Named("pixels")); err != nil {
			c.renderer = NewRenderer()
		}
		if c.cfg.Floor != nil {
			c.scene.Floor = c.cfg.Floor()
		}
	}
	pose := c.cfg.Viewpoint.See(&c.scene)
	d.Sample = uint64(c.cfg.Now().UnixNano())
	c.renderer.Render(frame, &c.scene, pose, d)
}

// count counts a frame and says whether it is damaged; half of these are noticed.
func (c *Camera) count() (damaged, noticed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	chance := c.cfg.Noise.Float64(c.frames)
	c.frames++
	return chance < c.faults.Damaged, chance < c.faults.Damaged/2
}

// closed forgets a source.
func (c *Camera) closed(s *source) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == s {
		c.open = nil
	}
}
