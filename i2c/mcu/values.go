// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"fmt"
	"math/bits"
	"strings"
)

// Values is a set of those values of a sensor packet that have a range. The others (microphones, step counters, TV
// remote) can have any value their bytes hold.
type Values uint32

// ValueSelector is byte 40, the selector and the button.
const ValueSelector Values = 1 << 16

const (
	numValues = 17 // eight of proximity, eight of ambient light, and the byte of selector and button
	// maxRefused is the maximum number of impossible values in a valid packet: two broken infrared sensors make four.
	// In random bytes with a right checksum 15 of 17 are impossible on average.
	maxRefused = numValues / 2
)

// ValueProximity is Sensors.Proximity[i], i from 0 to 7.
func ValueProximity(i int) Values { return 1 << i }

// ValueAmbient is Sensors.Ambient[i], i from 0 to 7.
func ValueAmbient(i int) Values { return 1 << (8 + i) }

// Has reports whether any value of w is in the set.
func (v Values) Has(w Values) bool { return v&w != 0 }

// Len is the number of values in the set.
func (v Values) Len() int { return bits.OnesCount32(uint32(v)) }

// String lists the values as "proximity 3, ambient 5, selector"; "none" for the empty set.
func (v Values) String() string {
	var names []string
	for i := range numValues {
		switch w := Values(1) << i; {
		case !v.Has(w):
		case w == ValueSelector:
			names = append(names, "selector")
		case i >= 8:
			names = append(names, fmt.Sprintf("ambient %d", i-8))
		default:
			names = append(names, fmt.Sprintf("proximity %d", i))
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
