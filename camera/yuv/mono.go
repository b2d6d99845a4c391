// SPDX-License-Identifier: Apache-2.0

package yuv

// Mono extracts the luma of YUYV of range r, one byte a pixel, in full range.
func Mono(dst, src Picture, r Range) error {
	if err := checkPair(&dst, &src, monoBytes, yuyvBytes); err != nil {
		return err
	}
	luma := &r.tables().luma
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width], src.Data[y*src.Stride:][:src.Width*yuyvBytes]
		for len(s) >= 16 && len(d) >= 8 {
			from, to := (*[16]byte)(s), (*[8]byte)(d)
			to[0], to[1], to[2], to[3] = luma[from[0]], luma[from[2]], luma[from[4]], luma[from[6]]
			to[4], to[5], to[6], to[7] = luma[from[8]], luma[from[10]], luma[from[12]], luma[from[14]]
			s, d = s[16:], d[8:]
		}
		for len(s) >= 4 && len(d) >= 2 {
			from, to := (*[4]byte)(s), (*[2]byte)(d)
			to[0], to[1] = luma[from[0]], luma[from[2]]
			s, d = s[4:], d[2:]
		}
	}
	return nil
}

// Grey converts luma of range r to full range. dst and src may be the same picture.
func Grey(dst, src Picture, r Range) error {
	if err := checkPair(&dst, &src, monoBytes, monoBytes); err != nil {
		return err
	}
	luma := &r.tables().luma
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width], src.Data[y*src.Stride:][:src.Width]
		for i, v := range s {
			d[i] = luma[v]
		}
	}
	return nil
}

// GreyRGB converts luma of range r to grey RGB (or BGR) pixels.
func GreyRGB(dst, src Picture, r Range) error {
	if err := checkPair(&dst, &src, rgbBytes, monoBytes); err != nil {
		return err
	}
	luma := &r.tables().luma
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width*rgbBytes], src.Data[y*src.Stride:][:src.Width]
		for _, v := range s {
			v = luma[v]
			to := (*[3]byte)(d)
			to[0], to[1], to[2] = v, v, v
			d = d[3:]
		}
	}
	return nil
}

// GreyYUYV converts luma to YUYV without colour, in the same range.
func GreyYUYV(dst, src Picture) error {
	if err := checkPair(&dst, &src, yuyvBytes, monoBytes); err != nil {
		return err
	}
	for y := range src.Height {
		d, s := dst.Data[y*dst.Stride:][:dst.Width*yuyvBytes], src.Data[y*src.Stride:][:src.Width]
		for _, v := range s {
			to := (*[2]byte)(d)
			to[0], to[1] = v, 128
			d = d[2:]
		}
	}
	return nil
}
