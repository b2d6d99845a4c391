// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"bytes"
	"fmt"
)

// decodePGM reads a portable grey map, binary (P5) or text (P2), with comments (netpbm's pgm(5)).
func decodePGM(data []byte) (pixels, error) {
	r := bytes.NewReader(data)
	magic := token(r)
	var head [3]int // width, height, white
	for i, name := range []string{"width", "height", "white"} {
		text := token(r)
		if _, err := fmt.Sscanf(text, "%d", &head[i]); err != nil || head[i] <= 0 {
			return pixels{}, fmt.Errorf("%w: PGM: %s is %q", errFile, name, text)
		}
	}
	width, height, white := head[0], head[1], head[2]
	switch {
	case magic != "P5" && magic != "P2":
		return pixels{}, fmt.Errorf("%w: PGM: begins with %q, want P5 or P2", errFile, magic)
	case white > 255:
		return pixels{}, fmt.Errorf("%w: PGM: white is %d, at most 255", errFile, white)
	}
	if err := checkPicture(width, height); err != nil {
		return pixels{}, err
	}
	if r.Len() < width*height { // a pixel is a byte at least
		return pixels{}, fmt.Errorf("%w: PGM: %d bytes for %d × %d pixels", errFile, r.Len(), width, height)
	}
	grey := make([]byte, width*height)
	for i := range grey {
		v, err := pixel(r, magic == "P2")
		if err != nil || v > white {
			return pixels{}, fmt.Errorf("%w: PGM: pixel %d is %d of %d: %w", errFile, i, v, white, err)
		}
		grey[i] = byte(v * 255 / white)
	}
	return pixels{width, height, func(x, y int) (uint8, uint8) { return grey[y*width+x], 255 }}, nil
}

// pixel reads one pixel.
func pixel(r *bytes.Reader, text bool) (v int, err error) {
	if text {
		_, err = fmt.Sscanf(token(r), "%d", &v)
		if v < 0 {
			err = errFile
		}
		return v, err
	}
	b, err := r.ReadByte()
	return int(b), err
}

// maxToken is the maximum length of a token of a PGM file, bytes: numbers have a few digits.
const maxToken = 20

// token skips white space and comments and returns the next token; the white space character after it is consumed.
func token(r *bytes.Reader) string {
	var word []byte
	comment := false
	for {
		b, err := r.ReadByte()
		space := b == ' ' || b == '\t' || b == '\r' || b == '\n'
		switch {
		case err != nil:
			return string(word)
		case comment:
			comment = b != '\n'
		case space && len(word) > 0:
			return string(word)
		case b == '#' && len(word) == 0:
			comment = true
		case !space && len(word) == maxToken:
			return string(word)
		case !space:
			word = append(word, b)
		}
	}
}
