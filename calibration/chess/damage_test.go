// SPDX-License-Identifier: Apache-2.0

package chess_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/internal/boardview"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// believable is how far from the truth an accepted corner of a damaged picture may be, px. Blur and grain cost
// exactness; a wrong corner is off by more.
const believable = 1.0

// TestDamagedPictures: 30 pictures of both boards, damaged by blur, glare, noise, things that cover the board and
// shadows: what is accepted is right, whatever that leaves. EPUCK_CHESS_PICTURES sets another number of them.
func TestDamagedPictures(t *testing.T) {
	n := 30
	if v, err := strconv.Atoi(os.Getenv("EPUCK_CHESS_PICTURES")); err == nil {
		n = v
	}
	if !suite.Long {
		n = 4
	}
	c := camera()
	accepted, corners, rejected := 0, 0, 0
	const step = 19 // spreads few pictures over as many places, boards and damages as many have
	for i := 0; i < n*step; i += step {
		b := []chess.Board{plain, marked}[i%2]
		p := places(1, uint64(100+i))[0]
		if b.Marked {
			p.Z *= 0.75
		}
		img := c.Draw(b, p, boardview.Daylight(), uint64(i))
		damage := boardview.Damages()[i/2%6]
		boardview.Spoil(img, damage, uint64(i))
		if i%5 == 4 { // and another one
			boardview.Spoil(img, boardview.Damages()[i/3%6], uint64(i)+1e6)
		}
		v, err := chess.Detect(img, b)
		if err != nil {
			continue
		}
		accepted, corners, rejected = accepted+1, corners+len(v.Corners), rejected+len(v.Rejected)
		if n, rms := wrong(c, b, p, v, believable); n > 0 {
			t.Errorf("picture %d (%s, marked %v): %d of %d accepted corners are wrong; %.2f px", i, damage, b.Marked, n, len(v.Corners), rms)
		}
	}
	t.Logf("%d of %d pictures accepted with %d corners, %d corners rejected", accepted, n, corners, rejected)
	if accepted < n/4 {
		t.Errorf("%d of %d pictures accepted: too shy to be useful", accepted, n)
	}
}
