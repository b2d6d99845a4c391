// SPDX-License-Identifier: Apache-2.0

package yuv

// Weights of red, green and blue in full-range Y, Cb and Cr, in 1/65536. The sum is one for Y and zero for Cb and Cr,
// so grey stays grey.
const (
	yr, yg, yb = 19595, 38470, 7471
	ur, ug, ub = -11058, -21710, 32768
	vr, vg, vb = 32768, -27439, -5329
)

// FromRGB converts red, green, blue to YUYV in full range; the chroma of two pixels is averaged.
func FromRGB(dst, src Picture) error { return fromPixels(dst, src, 0, 2) }

// FromBGR converts blue, green, red to YUYV in full range; the chroma of two pixels is averaged.
func FromBGR(dst, src Picture) error { return fromPixels(dst, src, 2, 0) }

func fromPixels(dst, src Picture, red, blue int) error {
	if err := checkPair(&dst, &src, yuyvBytes, rgbBytes); err != nil {
		return err
	}
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width*yuyvBytes], src.Data[y*src.Stride:][:src.Width*rgbBytes]
		for len(s) >= 6 && len(d) >= 4 {
			r0, g0, b0 := int32(s[red]), int32(s[1]), int32(s[blue])
			r1, g1, b1 := int32(s[3+red]), int32(s[4]), int32(s[3+blue])
			to := (*[4]byte)(d)
			to[0] = byte((yr*r0 + yg*g0 + yb*b0 + 1<<15) >> 16)
			to[2] = byte((yr*r1 + yg*g1 + yb*b1 + 1<<15) >> 16)
			r, g, b := r0+r1, g0+g1, b0+b1 // twice the mean
			to[1] = byte(clamp((ur*r + ug*g + ub*b + 128<<17 + 1<<16) >> 17))
			to[3] = byte(clamp((vr*r + vg*g + vb*b + 128<<17 + 1<<16) >> 17))
			s, d = s[6:], d[4:]
		}
	}
	return nil
}

// Luma computes the luma of red, green, blue, in full range.
func Luma(dst, src Picture) error { return luma(dst, src, 0, 2) }

// LumaBGR computes the luma of blue, green, red, in full range.
func LumaBGR(dst, src Picture) error { return luma(dst, src, 2, 0) }

func luma(dst, src Picture, red, blue int) error {
	if err := checkPair(&dst, &src, monoBytes, rgbBytes); err != nil {
		return err
	}
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width], src.Data[y*src.Stride:][:src.Width*rgbBytes]
		for i := range d {
			p := s[3*i:][:3]
			d[i] = byte((yr*int32(p[red]) + yg*int32(p[1]) + yb*int32(p[blue]) + 1<<15) >> 16)
		}
	}
	return nil
}

// Swap exchanges red and blue. dst and src may be the same picture.
func Swap(dst, src Picture) error {
	if err := checkPair(&dst, &src, rgbBytes, rgbBytes); err != nil {
		return err
	}
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width*rgbBytes], src.Data[y*src.Stride:][:src.Width*rgbBytes]
		for len(s) >= 3 && len(d) >= 3 {
			from, to := (*[3]byte)(s), (*[3]byte)(d)
			to[0], to[1], to[2] = from[2], from[1], from[0]
			s, d = s[3:], d[3:]
		}
	}
	return nil
}
