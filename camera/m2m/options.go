// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"cmp"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// Card names of the Raspberry Pi's devices in the driver bcm2835-codec.
const (
	cardJPEG = "bcm2835-codec-encode_image" // usually /dev/video31; since the kernels of March 2022
	cardISP  = "bcm2835-codec-isp"          // usually /dev/video12
)

// options are for machines other than a Raspberry Pi. The zero value has the defaults.
type options struct {
	// JPEG and ISP are the devices, by card name or by path. They default to cardJPEG and cardISP.
	JPEG, ISP string
	// Depth is the maximum number of pictures in the GPU, 1 to 8. It defaults to 2: one is processed while the next is
	// copied. The device may allow fewer. Each needs a buffer for the picture and one for the result; for JPEG the
	// kernel allocates 4 MiB for each, more than requested.
	Depth int
	// Timeout is the maximum time of the GPU for a picture. It defaults to 1 s.
	Timeout time.Duration
}

// Defaults and limits of options.
const (
	defaultDepth   = 2
	defaultTimeout = time.Second
	maxDepth       = 8
)

func (o options) withDefaults() options {
	o.JPEG = cmp.Or(o.JPEG, cardJPEG)
	o.ISP = cmp.Or(o.ISP, cardISP)
	o.Depth = min(max(cmp.Or(o.Depth, defaultDepth), 1), maxDepth)
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	return o
}

// NewJPEGEncoder opens the GPU's JPEG encoder for pictures of one size and format. Errors match [ErrNoDevice], name an
// unsupported size or format (the GPU supports YUYV, not GREY), or are the kernel's.
func NewJPEGEncoder(cfg camera.EncoderConfig) (camera.Encoder, error) {
	return options{}.newJPEGEncoder(cfg)
}

// NewISP opens the GPU's image signal processor, which converts to RGB24, BGR24 or YUYV. Errors are as those of
// [NewJPEGEncoder].
func NewISP(cfg camera.ConverterConfig) (camera.Converter, error) { return options{}.newISP(cfg) }

// picture describes a picture to the driver. The driver keeps one set of colour members for both queues, the latest it
// received, so both get the same.
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

// fourCC converts a pixel format.
func fourCC(f uint32) camera.PixelFormat { return camera.PixelFormat(f) }
