// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera/jpeg"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// fullFrame is the current frame uncompressed, decompressed at most once.
type fullFrame struct {
	frame Frame
	err   error
	done  bool
	data  []byte // of frame, reused
}

// reset drops the frame.
func (u *fullFrame) reset() { u.done = false }

// of returns f if it has pixels, else f decompressed to YUYV.
func (u *fullFrame) of(f *Frame) (*Frame, error) {
	if !f.Format.Compressed() {
		return f, nil
	}
	if !u.done {
		u.done = true
		u.err = u.decode(f)
	}
	return &u.frame, u.err
}

func (u *fullFrame) decode(f *Frame) error {
	w, h, data, err := jpeg.DecodeYUYV(u.data[:0], f.Data, maxFrame)
	if err != nil {
		return fmt.Errorf("%w: %v frame %d: %w", ErrFrame, f.Format, f.Sequence, err)
	}
	u.data = data
	u.frame = Frame{Data: data, Format: YUYV, Width: w, Height: h, Stride: 2 * w, Stamp: f.Stamp, Sequence: f.Sequence, Range: yuv.Full}
	return nil
}

// maxFrame is the largest compressed frame that is decompressed, in pixels: 4K.
const maxFrame = 3840 * 2160
