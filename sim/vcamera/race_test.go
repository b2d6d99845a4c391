// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// busySpot is a viewpoint for several goroutines.
type busySpot struct{ seen atomic.Int64 }

func (s *busySpot) Output() vcamsensor.Output { return newSpot().out }

func (s *busySpot) See(to *vcamera.Scene) geom.Pose {
	s.seen.Add(1)
	to.Light, to.Aloft = 1, true // nothing but sky: quickly drawn
	return geom.Pose{}
}

// TestEverybodyAtOnce: opening, reading, closing, unplugging and pictures from several goroutines do not get in each
// other's way.
func TestEverybodyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &busySpot{}
		c := vcamera.New(vcamera.Config{Name: "camera", Viewpoint: v})
		var all sync.WaitGroup
		var frames atomic.Int64
		for i := range 3 {
			all.Go(func() {
				for k := range 12 {
					s, err := c.Open(context.Background(), want)
					if errors.Is(err, syscall.EBUSY) || errors.Is(err, camera.ErrNoDevice) {
						time.Sleep(time.Duration(7*i+k) * time.Millisecond)
						continue
					}
					if err != nil {
						t.Error(err)
						return
					}
					for range 2 {
						_, release, err := s.Read()
						if err != nil {
							break
						}
						frames.Add(1)
						release()
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Go(func() {
			for i := range 20 {
				if err := c.Inject(vcamera.Faults{Unplugged: i%5 == 4}); err != nil {
					t.Error(err)
				}
				time.Sleep(45 * time.Millisecond)
			}
		})
		all.Go(func() {
			p := make([]byte, vcamera.FrameSize)
			for range 5 {
				c.Picture(p)
				time.Sleep(30 * time.Millisecond)
			}
		})
		all.Wait()
		if frames.Load() == 0 || v.seen.Load() < frames.Load() {
			t.Errorf("%d frames, %d looks", frames.Load(), v.seen.Load())
		}
		if err := c.Inject(vcamera.Faults{}); err != nil {
			t.Error(err)
		}
		s := open(t, c) // whatever happened before
		if _, _, err := s.Read(); err != nil {
			t.Error(err)
		}
		_ = s.Close()
	})
}
