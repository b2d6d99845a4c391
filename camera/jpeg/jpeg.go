// SPDX-License-Identifier: Apache-2.0

// Package jpeg encodes baseline JPEG files (ITU-T T.81, JFIF 1.02) directly from a camera's YUYV frames, without a
// conversion to RGB: the files have the frame's 4:2:2 sampling. Grey frames become grey files.
//
// It is designed for a processor with a slow floating-point unit and no vector instructions: integer DCT (Arai, Agui
// and Nakajima's, its scaling folded into the quantisation), quantisation by reciprocals, the standard's Huffman
// tables, and reused buffers: encoding a frame does not allocate. Frames in limited range are expanded to JFIF's full
// range within the quantisation, at no cost.
package jpeg

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// Sentinel errors. Test for them with errors.Is.
var (
	// errSize is wrapped when a frame's size, stride and length are inconsistent.
	errSize = errors.New("jpeg: invalid frame size")
	// errQuality is wrapped when a quality is not 1 to 100.
	errQuality = errors.New("jpeg: quality not 1 to 100")
	// errFormat is wrapped when the input is not a JPEG file.
	errFormat = errors.New("jpeg: not a JPEG file")
)

// Sampling is the layout of a frame.
type Sampling uint8

const (
	// YUYV is packed 4:2:2, Y0 Cb Y1 Cr. Widths are even.
	YUYV Sampling = iota
	// Grey is one byte of luma a pixel.
	Grey
)

// Encoder encodes JPEG files. One goroutine may use it.
type Encoder struct {
	quality int
	quant   [2][64]byte // luma, chroma; natural order
	tables  [2]steps    // the same as multipliers, for one range
	limited bool        // the range the steps are for
	header  []byte      // of files of this size, quality and sampling
	of      shape       // the shape of the header
	codes   *huffman
	tile    tile
	half    [64]int32 // between the DCT's two passes
	block   [64]int32 // coefficients
	out     writer
}

type shape struct {
	width, height int
	sampling      Sampling
}

// New returns an encoder of the given quality, 1 to 100 on libjpeg's scale.
func New(quality int) (*Encoder, error) {
	e := &Encoder{codes: standardCodes()}
	if err := e.SetQuality(quality); err != nil {
		return nil, err
	}
	return e, nil
}

// SetQuality changes the quality from the next frame on. A quality outside of 1 to 100 is an error, and the quality
// remains unchanged.
func (e *Encoder) SetQuality(quality int) error {
	if quality < 1 || quality > 100 {
		return fmt.Errorf("%w: %d", errQuality, quality)
	}
	if quality != e.quality {
		e.quality = quality
		e.quant = [2][64]byte{scaleQuant(&lumaQuant, quality), scaleQuant(&chromaQuant, quality)}
		e.makeSteps()
		e.of = shape{}
	}
	return nil
}

// Quality returns the current quality.
func (e *Encoder) Quality() int { return e.quality }

func (e *Encoder) makeSteps() {
	for i := range e.tables {
		e.tables[i] = newSteps(&e.quant[i], i == 1, e.limited)
	}
}

// Encode appends the JPEG file of a frame to dst and returns the longer slice. If dst has enough capacity, nothing is
// allocated. It fails if the sampling is unknown, or the size, stride and length of the frame are inconsistent; the
// error has the values, and dst is returned unchanged.
func (e *Encoder) Encode(dst []byte, frame yuv.Picture, sampling Sampling, r yuv.Range) ([]byte, error) {
	if err := checkFrame(&frame, sampling); err != nil {
		return dst, err
	}
	if limited := r == yuv.Limited; limited != e.limited {
		e.limited = limited
		e.makeSteps()
	}
	if of := (shape{frame.Width, frame.Height, sampling}); of != e.of {
		e.of = of
		e.header = appendHeader(e.header[:0], of, &e.quant)
	}
	e.out.start(append(dst, e.header...))
	if sampling == Grey {
		e.scanGrey(&frame)
	} else {
		e.scanYUYV(&frame)
	}
	dst = e.out.finish()
	e.out = writer{} // keep no reference to the caller's memory
	return append(dst, 0xFF, markerEOI), nil
}

func checkFrame(frame *yuv.Picture, sampling Sampling) error {
	bytes := 1
	switch sampling {
	case YUYV:
		bytes = 2
	case Grey:
	default:
		return fmt.Errorf("%w: unknown sampling %d", errSize, sampling)
	}
	if err := frame.Check(bytes); err != nil {
		return fmt.Errorf("%w: %w", errSize, err)
	}
	if sampling == YUYV && frame.Width%2 != 0 {
		return fmt.Errorf("%w: width %d is odd, two YUYV pixels share their colour", errSize, frame.Width)
	}
	return nil
}
