// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"
	"time"
)

// Encoding is the encoding of a sink's pictures. The raw ones have the names of ROS's image encodings.
type Encoding string

// The encodings.
const (
	// RGB8 is three bytes a pixel: red, green, blue.
	RGB8 Encoding = "rgb8"
	// BGR8 is three bytes a pixel: blue, green, red.
	BGR8 Encoding = "bgr8"
	// Mono8 is one byte a pixel: luma, full range.
	Mono8 Encoding = "mono8"
	// YUV422YUY2 is two bytes a pixel as the camera sends them: Y0 Cb Y1 Cr, in the camera's range.
	YUV422YUY2 Encoding = "yuv422_yuy2"
	// Compressed is one JPEG file a picture.
	Compressed Encoding = "jpeg"
	// StampOnly is no picture, only its stamp, number and size, for messages that describe pictures published
	// elsewhere.
	StampOnly Encoding = "stamp"
)

// RawEncodings lists the encodings of raw images.
func RawEncodings() []Encoding { return []Encoding{RGB8, BGR8, Mono8, YUV422YUY2} }

// Output is the kind of pictures of a sink.
type Output struct {
	// Encoding of the pictures. It is required.
	Encoding Encoding
	// Width and Height in pixels, both or none; they default to those of the pipeline's Settings.
	Width, Height int
	// Quality of Compressed, 1 to 100; it defaults to the pipeline's. Pictures compressed by the camera keep theirs.
	Quality int
}

// check validates the output; the error matches [ErrSetting].
func (o Output) check() error {
	switch o.Encoding {
	case RGB8, BGR8, Mono8, YUV422YUY2, Compressed, StampOnly:
	default:
		return fmt.Errorf("%w: encoding %q; there is: rgb8, bgr8, mono8, yuv422_yuy2, jpeg, stamp", ErrSetting, string(o.Encoding))
	}
	if o.Width != 0 || o.Height != 0 {
		if err := checkSize(o.Width, o.Height); err != nil {
			return err
		}
	}
	if o.Quality != 0 {
		return checkQuality(o.Quality)
	}
	return nil
}

// Image is a picture for a sink. Data is valid until the sink's function returns.
type Image struct {
	Encoding      Encoding
	Width, Height int       // pixels
	Step          int       // bytes from row to row, no gaps; 0 if Compressed or StampOnly
	Data          []byte    // empty if StampOnly
	Stamp         time.Time // that of the frame
	Sequence      uint32    // that of the frame
}
