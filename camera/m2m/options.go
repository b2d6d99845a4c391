// SPDX-License-Identifier: Apache-2.0

package m2m

import (
	"cmp"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// Card names of the Raspberry Pi's devices, as the driver bcm2835-codec gives them.
const (
	CardJPEG = "bcm2835-codec-encode_image" // usually /dev/video31; since the kernels of March 2022
	CardISP  = "bcm2835-codec-isp"          // usually /dev/video12
)

// Options are for machines unlike a Raspberry Pi. The zero value has the defaults.
type Options struct {
	// JPEG and ISP are the devices, by card name or by path. They default to [CardJPEG] and [CardISP].
	JPEG, ISP string
	// Depth is the number of pictures that may be in the GPU at once, 1 to 8. It defaults to 2: one is worked on while
	// the next is copied. The device may allow fewer. Each costs a buffer for the picture and one for the result; for
	// JPEG the kernel makes those 4 MiB each, more than is asked for.
	Depth int
	// Timeout is how long the GPU may take for a picture before it counts as hung. It defaults to 1 s.
	Timeout time.Duration
}

// Defaults and limits of Options.
const (
	DefaultDepth   = 2
	DefaultTimeout = time.Second
	maxDepth       = 8
)

func (o Options) withDefaults() Options {
	o.JPEG = cmp.Or(o.JPEG, CardJPEG)
	o.ISP = cmp.Or(o.ISP, CardISP)
	o.Depth = min(max(cmp.Or(o.Depth, DefaultDepth), 1), maxDepth)
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	return o
}

// NewJPEGEncoder opens the GPU's JPEG encoder; see [Options.NewJPEGEncoder].
func NewJPEGEncoder(cfg camera.EncoderConfig) (camera.Encoder, error) {
	return Options{}.NewJPEGEncoder(cfg)
}

// NewISP opens the GPU's image signal processor; see [Options.NewISP].
func NewISP(cfg camera.ConverterConfig) (camera.Converter, error) { return Options{}.NewISP(cfg) }

// picture describes a picture to the driver. The driver keeps one set of colour members for both queues, the latest it
// was given, so both are given the same.
func picture(f camera.PixelFormat, width, height, stride int, r yuv.Range) pixFormat {
	p := pixFormat{
		width: uint32(width), height: uint32(height), fourcc: uint32(f),
		colorspace: spaceJPEG, encoding: encodingBT601, quantization: rangeFull,
	}
	if r == yuv.Limited {
		p.colorspace, p.quantization = spaceSMPTE, rangeLimited
	}
	p.planes[0].stride = uint32(stride)
	return p
}

// fourCC prints a pixel format.
func fourCC(f uint32) camera.PixelFormat { return camera.PixelFormat(f) }
