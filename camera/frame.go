// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// Frame is one picture from the camera. Data belongs to the Source and may be read until the frame's release function
// is called.
type Frame struct {
	Data          []byte
	Format        PixelFormat
	Width, Height int       // pixels
	Stride        int       // bytes from one row to the next; 0 in compressed formats
	Stamp         time.Time // end of the exposure, or of the transfer if the former is unknown; system clock
	Sequence      uint32    // counts the camera's frames: a gap means lost frames
	Range         yuv.Range // of YUYV and GREY; Unspecified if the source does not know it
}

// Check validates the frame: known format, sensible size, enough bytes. It returns an error that matches [ErrFrame].
func (f *Frame) Check() error {
	if f.Format.Compressed() {
		if len(f.Data) < 4 || f.Data[0] != 0xFF || f.Data[1] != 0xD8 {
			return fmt.Errorf("%w: %v frame %d of %d bytes is not a JPEG file", ErrFrame, f.Format, f.Sequence, len(f.Data))
		}
		return nil
	}
	bpp := f.Format.BytesPerPixel()
	if bpp == 0 {
		return fmt.Errorf("%w: unknown pixel format %v", ErrFrame, f.Format)
	}
	if f.Width < 1 || f.Height < 1 || f.Width > maxSize || f.Height > maxSize || f.Format == YUYV && f.Width%2 != 0 {
		return fmt.Errorf("%w: frame %d is %d×%d %v", ErrFrame, f.Sequence, f.Width, f.Height, f.Format)
	}
	row := f.Width * bpp
	if f.Stride < row || f.Stride > maxSize*8 {
		return fmt.Errorf("%w: frame %d has rows of %d bytes and a stride of %d", ErrFrame, f.Sequence, row, f.Stride)
	}
	// In 64 bits: on the robot an int holds 2 GB.
	if need := int64(f.Stride)*int64(f.Height-1) + int64(row); int64(len(f.Data)) < need {
		return fmt.Errorf("%w: frame %d has %d bytes of %d", ErrFrame, f.Sequence, len(f.Data), need)
	}
	return nil
}

// maxSize is the largest width and height in pixels, as in a baseline JPEG's header.
const maxSize = 65535
