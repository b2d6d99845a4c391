// SPDX-License-Identifier: Apache-2.0

package scale

import "github.com/epuck-ros2/epuck-driver/camera/yuv"

// gather sums up the source rows of one destination row.
func (s *Scaler) gather(t *tap, src yuv.Picture) {
	clear(s.sum)
	for i := range t.n {
		weight := t.inner
		switch i {
		case 0:
			weight = t.first
		case t.n - 1:
			weight = t.last
		}
		s.read(t.start+i, src)
		sum := s.sum[:len(s.line)]
		for x, v := range s.line {
			sum[x] += weight * v
		}
	}
}

// read scales a source row horizontally. A row shared by two destination rows is read once.
func (s *Scaler) read(y int, src yuv.Picture) {
	if s.lineRow == y {
		return
	}
	s.lineRow = y
	row := src.Data[y*src.Stride:][:src.Width*s.layout.bytesPerPixel()]
	for i := range s.planes {
		p := &s.planes[i]
		line := s.line[p.at:][:len(p.columns)]
		if p.whole {
			p.readWhole(line, row)
		} else {
			p.readParts(line, row)
		}
	}
}

// readWhole sums n samples for each result.
func (p *plane) readWhole(line []uint32, row []byte) {
	at, n := p.offset, p.columns[0].n
	for x := range line {
		var sum uint32
		for range n {
			sum += uint32(row[at])
			at += p.step
		}
		line[x] = sum
	}
}

// readParts sums samples of which the first and the last count in part.
func (p *plane) readParts(line []uint32, row []byte) {
	for x := range line {
		t := &p.columns[x]
		at := p.offset + t.start*p.step
		sum := t.first * uint32(row[at])
		if t.n > 1 {
			var inner uint32
			for range t.n - 2 {
				at += p.step
				inner += uint32(row[at])
			}
			sum += inner*t.inner + t.last*uint32(row[at+p.step])
		}
		line[x] = sum
	}
}

// put writes the means of one plane into a destination row.
func (p *plane) put(row []byte, sums []uint32) {
	at := p.offset
	for _, sum := range sums[p.at:][:len(p.columns)] {
		row[at] = p.area.mean(sum)
		at += p.step
	}
}
