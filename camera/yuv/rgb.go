// SPDX-License-Identifier: Apache-2.0

package yuv

// RGB converts YUYV to red, green, blue, one byte each.
func RGB(dst, src Picture, r Range) error {
	t := r.tables()
	return toPixels(dst, src, t, &t.rv, 3, &t.bu, 1)
}

// BGR converts YUYV to blue, green, red, one byte each.
func BGR(dst, src Picture, r Range) error {
	t := r.tables()
	return toPixels(dst, src, t, &t.bu, 1, &t.rv, 3)
}

// toPixels makes three bytes a pixel: the first and the last are luma plus the term of the table, which is read at that one
// of YUYV's four bytes; the middle one is green.
func toPixels(dst, src Picture, t *tables, first *[256]int32, firstAt int, last *[256]int32, lastAt int) error {
	if err := checkPair(&dst, &src, rgbBytes, yuyvBytes); err != nil {
		return err
	}
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width*rgbBytes], src.Data[y*src.Stride:][:src.Width*yuyvBytes]
		for len(s) >= 4 && len(d) >= 6 {
			// Array pointers: one bounds check each for a pair of pixels.
			from, to := (*[4]byte)(s), (*[6]byte)(d)
			a, b, c := first[from[firstAt&3]], t.gu[from[1]]+t.gv[from[3]], last[from[lastAt&3]]
			luma := t.y[from[0]]
			to[0], to[1], to[2] = clamp((luma+a)>>fraction), clamp((luma+b)>>fraction), clamp((luma+c)>>fraction)
			luma = t.y[from[2]]
			to[3], to[4], to[5] = clamp((luma+a)>>fraction), clamp((luma+b)>>fraction), clamp((luma+c)>>fraction)
			s, d = s[4:], d[6:]
		}
	}
	return nil
}
