// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
)

// maxDamaged is how many frames in a row may be damaged before the camera is opened anew.
const maxDamaged = 30

// capture reads the camera, without ever waiting for anything else, and keeps the latest frame ready for run. It is a
// goroutine of its own and ends with the source.
func (s *stream) capture() {
	var pace pacer
	last, damaged := uint32(0), 0
	for first := true; ; {
		f, release, err := s.src.Read()
		if err == nil {
			if err = f.Check(); err != nil {
				release()
			}
		}
		if err != nil {
			if damaged++; !errors.Is(err, ErrFrame) {
				s.ended <- err
				return
			}
			s.p.noteDamaged(err)
			if damaged > maxDamaged {
				s.ended <- fmt.Errorf("camera: %d damaged frames in a row, the last: %w", damaged, err)
				return
			}
			continue
		}
		var lost uint32
		if gap := f.Sequence - last - 1; !first && gap < 1<<31 {
			lost = gap
		}
		first, last, damaged = false, f.Sequence, 0
		if !pace.wants(f.Stamp, s.p.Settings().FrameRate, s.mode.FrameRate) {
			s.p.noteFrame(&f, lost, false)
			release()
			continue
		}
		s.p.noteFrame(&f, lost, true)
		s.keep(held{f, release})
	}
}

// keep makes f the frame run works on next; one that was not taken yet is given back.
func (s *stream) keep(f held) {
	select {
	case s.frames <- f:
		return
	default:
	}
	select {
	case old := <-s.frames:
		old.release()
		s.p.noteSkipped()
	default: // run took it just now
	}
	s.frames <- f // capture alone sends: there is room
}
