// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

// Length of the melodies, measured by running the firmware's play_melody.c: each
// note sounds for its length and is followed by a pause 1.3 times as long, and
// three milliseconds are lost in between.
const (
	marioLength      = 15213 * time.Millisecond
	underworldLength = 15858 * time.Millisecond
	starWarsLength   = 10195 * time.Millisecond
)

// Shape of the sound in this model: a beat like the commonest note, a twelfth
// of a second of tone and the pause after it.
const (
	beat = 190 * time.Millisecond
	tone = 83 * time.Millisecond
)

type melody struct {
	number uint8 // 1 to 3, of the last melody
	start  time.Duration
	end    time.Duration
}

// play starts melody v unless one is playing; other values do nothing.
func (p *melody) play(now time.Duration, v byte) {
	lengths := [...]time.Duration{marioLength, underworldLength, starWarsLength}
	if v < 1 || int(v) > len(lengths) || p.playing(now) != 0 {
		return
	}
	p.number, p.start, p.end = v, now, now+lengths[v-1]
}

// playing returns the number of the melody that plays, or 0.
func (p *melody) playing(now time.Duration) uint8 {
	if now < p.end {
		return p.number
	}
	return 0
}

// sounding reports whether the speaker makes a tone at t.
func (p *melody) sounding(t time.Duration) bool {
	return p.playing(t) != 0 && t >= p.start && (t-p.start)%beat < tone
}

// Melody returns the number of the melody that plays, 1 to 3, or 0.
func (m *MCU) Melody() uint8 { return m.melody.playing(m.now) }
