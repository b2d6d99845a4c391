// SPDX-License-Identifier: Apache-2.0

package main

// edge is the gradient from which a pixel counts as one of an edge.
const edge = 128

// sobel writes the gradient of a picture of one byte a pixel into out, of the same size, by the filter of Sobel, and
// returns how many pixels are edges. The outermost pixels are 0.
func sobel(out, picture []byte, width int) (edges int) {
	for i := width; i+width < len(picture); i += width {
		above, row, below := picture[i-width:i], picture[i:i+width], picture[i+width:i+2*width]
		for x := 1; x+1 < width; x++ {
			across := int(above[x+1]) + 2*int(row[x+1]) + int(below[x+1]) - int(above[x-1]) - 2*int(row[x-1]) - int(below[x-1])
			down := int(below[x-1]) + 2*int(below[x]) + int(below[x+1]) - int(above[x-1]) - 2*int(above[x]) - int(above[x+1])
			gradient := min(max(across, -across)+max(down, -down), 255)
			out[i+x] = byte(gradient)
			if gradient >= edge {
				edges++
			}
		}
	}
	return edges
}
