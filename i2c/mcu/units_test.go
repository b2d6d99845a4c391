// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSpeedFromRadians(t *testing.T) {
	for _, c := range []struct {
		rad  float64
		want Speed
	}{
		{0, 0}, {2 * math.Pi, 1000}, {-2 * math.Pi, -1000}, {RadPerStep, 1}, {0.49 * RadPerStep, 0}, {-0.51 * RadPerStep, -1},
		{0.02 / 0.02, 159}, // 0.02 m/s with a wheel of 20 mm; the older driver sent 147
		{6.91, 1100}, {7, MaxSpeed}, {-100, -MaxSpeed}, {1e300, MaxSpeed},
		{math.Inf(1), MaxSpeed}, {math.Inf(-1), -MaxSpeed}, {math.NaN(), 0},
	} {
		if got := SpeedFromRadians(c.rad); got != c.want {
			t.Errorf("%v rad/s: %d steps/s, want %d", c.rad, got, c.want)
		}
	}
}

// TestActual has values calculated from the firmware's timer.
func TestActual(t *testing.T) {
	for v, want := range map[Speed]float64{
		0: 0, 1: 1, 300: 301.2, 700: 704.2, 900: 909.1, 1050: 1063.8, 1100: 1111.1, 1200: 1111.1, -300: -301.2,
		math.MaxInt16: 1111.1, math.MinInt16: -1111.1,
	} {
		if got := v.Actual(); math.Abs(got-want) > 0.05 {
			t.Errorf("%d: %v, want %v", v, got, want)
		}
	}
	if math.Abs(topSpeed-1111.1) > 0.05 || MaxSpeed.Actual() != topSpeed {
		t.Error(topSpeed)
	}
}

func TestSpeedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Speed(rapid.Int16().Draw(t, "speed"))
		clipped := v.clip()
		if clipped > MaxSpeed || clipped < -MaxSpeed {
			t.Fatalf("Clip gives %d", clipped)
		}
		if got := SpeedFromRadians(clipped.radians()); got != clipped {
			t.Fatalf("%d steps/s came back as %d", clipped, got)
		}
		actual, asked := math.Abs(v.Actual()), math.Abs(float64(clipped))
		if actual < asked || actual > asked*1.04 && clipped != 0 || math.Signbit(v.Actual()) != (clipped < 0) {
			t.Fatalf("%d steps/s turns with %v", v, v.Actual())
		}
	})
}
