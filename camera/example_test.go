// SPDX-License-Identifier: Apache-2.0

package camera_test

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// greyWall is the simplest camera: 64 by 48 grey pixels, ten times a second.
type greyWall struct{}

func (greyWall) Name() string { return "grey wall" }

func (greyWall) Modes(context.Context) ([]camera.Mode, error) {
	return []camera.Mode{{Width: 64, Height: 48, Format: camera.GREY, FrameRate: 10}}, nil
}

func (greyWall) Open(context.Context, camera.Mode) (camera.Source, error) {
	return &wallSource{ticks: time.NewTicker(100 * time.Millisecond), quit: make(chan struct{}), pixels: make([]byte, 64*48)}, nil
}

type wallSource struct {
	ticks  *time.Ticker
	quit   chan struct{}
	pixels []byte
	n      uint32
}

func (s *wallSource) Read() (camera.Frame, func(), error) {
	select {
	case <-s.quit:
		return camera.Frame{}, nil, camera.ErrClosed
	case now := <-s.ticks.C:
		s.n++
		return camera.Frame{Data: s.pixels, Format: camera.GREY, Width: 64, Height: 48, Stride: 64, Stamp: now, Sequence: s.n}, func() {}, nil
	}
}

func (s *wallSource) Close() error {
	close(s.quit)
	return nil
}

// The camera is open while a sink is attached: here until the first picture.
func ExamplePipeline() {
	p, err := camera.New(camera.Config{Device: greyWall{}, Settings: camera.Settings{Width: 32, Height: 24}})
	if err != nil {
		fmt.Println(err)
		return
	}
	pictures := make(chan string, 1)
	_, err = p.Attach(camera.Output{Encoding: camera.RGB8}, func(im *camera.Image) {
		select {
		case pictures <- fmt.Sprintf("%d×%d %s, %d bytes", im.Width, im.Height, im.Encoding, len(im.Data)):
		default:
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(<-pictures)
	fmt.Println(p.Close(), p.Status().Open)
	// Output:
	// 32×24 rgb8, 2304 bytes
	// <nil> false
}
