// SPDX-License-Identifier: Apache-2.0

package camera

import "github.com/epuck-ros2/epuck-driver/camera/yuv"

// Encoder makes JPEG files from frames of one size and format. It is used by one goroutine; Close is safe for
// concurrent use.
type Encoder interface {
	// Name returns the encoder's name for the user, for example "GPU (bcm2835-codec-encode_image, /dev/video31)".
	Name() string
	// Encode appends the JPEG file of f to dst and returns the longer slice. An error that matches [ErrFrame]
	// concerns this frame only; after any other the encoder must be closed.
	Encode(dst []byte, f *Frame) ([]byte, error)
	// SetQuality changes the quality, 1 to 100 on libjpeg's scale, from the next frame on.
	SetQuality(quality int) error
	// Close releases the encoder's resources. It may be called more than once.
	Close() error
}

// AsyncEncoder is an Encoder with several frames in flight, as the GPU's. A Pipeline uses its Submit and Receive
// instead of Encode: one goroutine submits, another receives.
type AsyncEncoder interface {
	Encoder
	// Depth returns the maximum number of frames in flight, at least 1.
	Depth() int
	// Submit submits a frame, whose data may be reused after it returns; it does not wait for the hardware. It
	// returns [ErrBusy] when Depth frames are in flight. Submit and SetQuality are called by the same goroutine.
	Submit(f *Frame) error
	// Receive waits for the result of the earliest submitted frame without one: exactly one result for each Submit
	// that returned nil, in that order. It appends the JPEG file to dst. An error that matches [ErrFrame] is the
	// result of that frame; [ErrClosed] is returned after Close; after any other error the encoder must be closed.
	Receive(dst []byte) ([]byte, error)
}

// EncoderConfig describes the frames of an encoder.
type EncoderConfig struct {
	Width, Height int         // pixels
	Stride        int         // bytes a row
	Format        PixelFormat // uncompressed: the camera's, or YUYV after scaling
	Range         yuv.Range   // of the frames, not Unspecified
	Quality       int         // 1 to 100
}

// Converter scales frames and changes their pixel format, as the GPU's image signal processor does. It is used by one
// goroutine.
type Converter interface {
	// Name returns the converter's name for the user, for example "GPU (bcm2835-codec-isp, /dev/video12)".
	Name() string
	// Convert appends the converted picture, rows without gaps, to dst and returns the longer slice. Errors as
	// with [Encoder].
	Convert(dst []byte, f *Frame) ([]byte, error)
	// Close releases the converter's resources. It may be called more than once.
	Close() error
}

// ConverterConfig describes a converter's input and output.
type ConverterConfig struct {
	Width, Height int         // of the frames, pixels
	Stride        int         // of the frames, bytes a row
	Format        PixelFormat // of the frames
	Range         yuv.Range   // of the frames, not Unspecified

	OutWidth, OutHeight int         // pixels
	OutFormat           PixelFormat // YUYV, RGB24, BGR24 or GREY
}
