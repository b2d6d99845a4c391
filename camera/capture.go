// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
)

// maxDamaged is the maximum number of consecutive damaged frames before the camera is reopened.
const maxDamaged = 30

// capture reads the camera without waiting for anything else, and keeps the latest frame for run. It runs on its own
// goroutine and ends with the source.
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

// keep stores f as the next frame for run; a previous one that run did not take is released.
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
	default: // run has just taken it
	}
	s.frames <- f // capture is the only sender: there is space
}
