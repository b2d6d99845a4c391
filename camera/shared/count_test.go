// SPDX-License-Identifier: Apache-2.0

package shared_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
)

// counted is a camera that counts its frames: how many are out, and how often it is open.
type counted struct {
	opening chan struct{} // Open sends a token when it begins and then waits for a second one; nil: it does not

	mu         sync.Mutex
	out, given int
	open, most int // sources at once
}

func (c *counted) Name() string { return "counted" }
func (c *counted) Modes(context.Context) ([]camera.Mode, error) {
	return []camera.Mode{mode, other}, nil
}

func (c *counted) Open(context.Context, camera.Mode) (camera.Source, error) {
	if c.opening != nil {
		c.opening <- struct{}{}
		c.opening <- struct{}{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open++
	c.most = max(c.most, c.open)
	return &countedSource{c: c, closed: make(chan struct{})}, nil
}

func (c *counted) count() (out, given, open, most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out, c.given, c.open, c.most
}

type countedSource struct {
	c      *counted
	closed chan struct{}
}

func (s *countedSource) Read() (camera.Frame, func(), error) {
	select {
	case <-s.closed:
		return camera.Frame{}, nil, camera.ErrClosed
	default:
	}
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.c.out++
	s.c.given++
	return camera.Frame{Sequence: uint32(s.c.given)}, sync.OnceFunc(func() {
		s.c.mu.Lock()
		defer s.c.mu.Unlock()
		s.c.out--
	}), nil
}

func (s *countedSource) Close() error {
	close(s.closed)
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.c.open--
	return nil
}

// TestEveryFrameGoesBack: readers come and go in any order, with frames read, unread and held; the camera is opened
// once at a time, and in the end it has all its frames back and is closed.
func TestEveryFrameGoesBack(t *testing.T) {
	device := &counted{}
	c := shared.New(device)
	var readers sync.WaitGroup
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 1))
		readers.Go(func() {
			for range 20 {
				side := c.Viewer()
				if seed == 0 {
					side = c.Owner()
				}
				want := []camera.Mode{mode, other}[random.IntN(2)]
				if err := visit(t.Context(), side, want, random.IntN(4)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Wait()
	if out, given, open, most := device.count(); out != 0 || open != 0 || most != 1 || given == 0 {
		t.Errorf("%d of %d frames are out, open %d times, %d at once", out, given, open, most)
	}
}

// visit opens a camera, reads some frames and closes it with the last one in hand.
func visit(ctx context.Context, d camera.Device, want camera.Mode, frames int) error {
	s, err := d.Open(ctx, want)
	if err != nil {
		return err
	}
	giveBack := func() {}
	for range frames {
		_, release, err := s.Read()
		if errors.Is(err, shared.ErrTaken) {
			break
		}
		if err != nil {
			return errors.Join(err, s.Close())
		}
		giveBack()
		giveBack = release
	}
	err = s.Close()
	giveBack()
	return err
}

// TestWaitingOpenCanBeCancelled: while the camera is opening, the context ends another Open.
func TestWaitingOpenCanBeCancelled(t *testing.T) {
	device := &counted{opening: make(chan struct{})}
	c := shared.New(device)
	opened := make(chan camera.Source, 1)
	go func() {
		s, err := c.Owner().Open(context.Background(), mode)
		if err != nil {
			t.Error(err)
		}
		opened <- s
	}()
	<-device.opening
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Viewer().Open(ctx, mode); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-device.opening
	must(t, (<-opened).Close())
}

// TestNames: name and modes are the camera's.
func TestNames(t *testing.T) {
	c := shared.New(&counted{})
	for _, d := range []camera.Device{c.Owner(), c.Viewer()} {
		modes, err := d.Modes(t.Context())
		must(t, err)
		if d.Name() != "counted" || len(modes) != 2 {
			t.Error(d.Name(), modes)
		}
	}
}
