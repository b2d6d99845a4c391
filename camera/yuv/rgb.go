// SPDX-License-Identifier: Apache-2.0

package yuv

// RGB converts YUYV to red, green, blue, one byte each.
func RGB(dst, src Picture, r Range) error {
	t := r.tables()
	return t.toPixels(dst, src, &t.cr, 3, &t.cb, 1)
}

// BGR converts YUYV to blue, green, red, one byte each.
func BGR(dst, src Picture, r Range) error {
	t := r.tables()
	return t.toPixels(dst, src, &t.cb, 1, &t.cr, 3)
}

// toPixels computes three bytes a pixel: the first from luma and the chroma at index a of YUYV's four bytes, the last
// from luma and the chroma at index b, and green in the middle from both.
func (t *tables) toPixels(dst, src Picture, first *[256]chroma, a int, last *[256]chroma, b int) error {
	if err := checkPair(&dst, &src, rgbBytes, yuyvBytes); err != nil {
		return err
	}
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width*rgbBytes], src.Data[y*src.Stride:][:src.Width*yuyvBytes]
		if t.full {
			fullRow(d, s, first, a&3, last, b&3)
		} else {
			limitedRow(d, s, &t.y, first, a&3, last, b&3)
		}
	}
	return nil
}

// fullRow converts a row in full range, where luma is an integer and the chroma's contribution is rounded once for two
// pixels. Array pointers cost one bounds check each for the pair.
func fullRow(d, s []byte, first *[256]chroma, a int, last *[256]chroma, b int) {
	for len(s) >= 4 && len(d) >= 6 {
		from, to := (*[4]byte)(s), (*[6]byte)(d)
		l, r := &first[from[a&3]], &last[from[b&3]]
		red, green, blue := l.outer>>fraction, (l.green+r.green)>>fraction, r.outer>>fraction
		y, z := int32(from[0]), int32(from[2])
		r0, g0, b0, r1, g1, b1 := y+red, y+green, y+blue, z+red, z+green, z+blue
		if uint32(r0|g0|b0|r1|g1|b1) > 255 {
			r0, g0, b0, r1, g1, b1 = clamp(r0), clamp(g0), clamp(b0), clamp(r1), clamp(g1), clamp(b1)
		}
		to[0], to[1], to[2], to[3], to[4], to[5] = byte(r0), byte(g0), byte(b0), byte(r1), byte(g1), byte(b1)
		s, d = s[4:], d[6:]
	}
}

// limitedRow converts a row in limited range.
func limitedRow(d, s []byte, luma *[256]int32, first *[256]chroma, a int, last *[256]chroma, b int) {
	for len(s) >= 4 && len(d) >= 6 {
		from, to := (*[4]byte)(s), (*[6]byte)(d)
		l, r := &first[from[a&3]], &last[from[b&3]]
		red, green, blue := l.outer, l.green+r.green, r.outer
		y := luma[from[0]]
		to[0], to[1], to[2] = byte(clamp((y+red)>>fraction)), byte(clamp((y+green)>>fraction)), byte(clamp((y+blue)>>fraction))
		y = luma[from[2]]
		to[3], to[4], to[5] = byte(clamp((y+red)>>fraction)), byte(clamp((y+green)>>fraction)), byte(clamp((y+blue)>>fraction))
		s, d = s[4:], d[6:]
	}
}
