// SPDX-License-Identifier: Apache-2.0

package camera

import "github.com/epuck-ros2/epuck-driver/camera/yuv"

// Encoder makes JPEG files from frames of one size and format. One goroutine uses it, but Close may be called by
// another.
type Encoder interface {
	// Name tells the user what encodes, for example "GPU (bcm2835-codec-encode_image, /dev/video31)".
	Name() string
	// Encode appends the JPEG file of f to dst and returns the longer slice. An error that matches [ErrFrame] is about
	// this frame; after any other the encoder is to be closed.
	Encode(dst []byte, f *Frame) ([]byte, error)
	// SetQuality changes the quality, 1 to 100 on libjpeg's scale, from the next frame on.
	SetQuality(quality int) error
	// Close frees what the encoder holds. It may be called more than once.
	Close() error
}

// AsyncEncoder is an Encoder that works on several frames at once, as the GPU does. A Pipeline that is given one uses
// Submit and Receive, not Encode: one goroutine submits, another receives.
type AsyncEncoder interface {
	Encoder
	// Depth is the number of frames that may be in flight, at least 1.
	Depth() int
	// Submit hands in a frame, whose data it does not need any more when it returns; it does not wait for the hardware.
	// It returns [ErrBusy] when Depth frames are in flight. Submit and SetQuality are called by the same goroutine.
	Submit(f *Frame) error
	// Receive waits for the result of the earliest submitted frame that was not received yet: exactly one result for
	// each Submit that returned nil, in that order. It appends the JPEG file to dst. An error that matches [ErrFrame]
	// is the result of that frame; [ErrClosed] comes after Close; after any other error the encoder is to be closed.
	Receive(dst []byte) ([]byte, error)
}

// EncoderConfig says what an encoder will be given.
type EncoderConfig struct {
	Width, Height int         // pixels
	Stride        int         // bytes a row
	Format        PixelFormat // uncompressed: the camera's, or YUYV after scaling
	Range         yuv.Range   // of the frames, not Unspecified
	Quality       int         // 1 to 100
}

// Converter scales frames and changes their pixel format, as the GPU's image signal processor does. One goroutine uses
// it.
type Converter interface {
	// Name tells the user what converts, for example "GPU (bcm2835-codec-isp, /dev/video12)".
	Name() string
	// Convert appends the converted picture, rows without gaps, to dst and returns the longer slice. Errors as
	// with [Encoder].
	Convert(dst []byte, f *Frame) ([]byte, error)
	// Close frees what the converter holds. It may be called more than once.
	Close() error
}

// ConverterConfig says what a converter is given and what it gives.
type ConverterConfig struct {
	Width, Height int         // of the frames, pixels
	Stride        int         // of the frames, bytes a row
	Format        PixelFormat // of the frames
	Range         yuv.Range   // of the frames, not Unspecified

	OutWidth, OutHeight int         // pixels
	OutFormat           PixelFormat // YUYV, RGB24, BGR24 or GREY
}
