// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

var speed = rapid.Custom(func(t *rapid.T) mcu.Speed { return mcu.Speed(rapid.Int16().Draw(t, "speed")) })

// The reader gets the latest value, once, and values never go back in time.
func TestSlotHoldsTheLatest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s slot[int]
		s.init()
		written, read := 0, 0
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "write") {
				written++
				s.put(&written)
				continue
			}
			v := -1
			if news := s.read(&v); news != (written > read) || news && v != written {
				t.Fatalf("%d of %d, news %v", v, written, news)
			}
			read = written
		}
	})
}

// With concurrent access each value is consistent, and none is older than the one before.
func TestSlotUnderRace(t *testing.T) {
	type pair struct{ a, b [20]int }
	var s slot[pair]
	s.init()
	done := make(chan struct{})
	const last = 20000
	go func() {
		defer close(done)
		var p pair
		for i := 1; i <= last; i++ {
			for j := range p.a {
				p.a[j], p.b[j] = i, i
			}
			s.put(&p)
		}
	}()
	for was := 0; was < last; {
		var p pair
		if !s.read(&p) {
			select {
			case <-done:
			default:
			}
			continue
		}
		if p.a != p.b || p.a[0] < was {
			t.Fatalf("%v after %d", p, was)
		}
		was = p.a[0]
	}
	<-done
}
