// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package driving

import (
	"strings"
	"testing"
)

func TestSpeedsBeyondTheLimitAreSaid(t *testing.T) {
	for _, c := range []struct {
		v, w float64
		want string
	}{
		{0.05, 0.5, ""}, {-0.138, 0, ""}, {0, 4.8, ""},
		{5, 0, "wheels reach 0.138 m/s; it drives at most 0.138 m/s, 0.000 rad/s"},
		{-5, 0, "-0.138 m/s"}, {0, 10, "4.863 rad/s"}, {0.138, 1, "beyond the limit"},
	} {
		got := (&drivePlan{v: c.v, w: c.w}).beyond()
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%g m/s, %g rad/s: %q, want %q", c.v, c.w, got, c.want)
		}
	}
}

func TestNumbersWithACommaAreExplained(t *testing.T) {
	var plan drivePlan
	plan.duration = 1
	for text, want := range map[string]string{
		"0,05": `"0,05" is not a speed; numbers have a point: 0.05`, "-1,5": "-1.5", "fast": `"fast" is not a speed`, "NaN": "not a finite speed", "1,2,3": "is not a speed",
	} {
		err := plan.arguments(nil, []string{text, "0"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if _, err := goalOf([]string{"0", text}); err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(want, "speed", "number")) {
			t.Errorf("goal %s: %v", text, err)
		}
	}
}
