// SPDX-License-Identifier: Apache-2.0

package suggest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNear(t *testing.T) {
	topics := []string{"/cmd_vel", "/odom", "/tf", "/tf_static", "/ps0", "/ps1", "/ps2", "/ps3", "/camera/image_raw"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"/odm", []string{"/odom"}},
		{"/Odom", []string{"/odom"}},
		{"/cmdvel", []string{"/cmd_vel"}},
		{"/cmd_vle", []string{"/cmd_vel"}},
		{"/camera/image", []string{"/camera/image_raw"}},
		{"/tf_sta", []string{"/tf_static"}},
		{"/ps9", []string{"/ps0", "/ps1", "/ps2"}},
		{"/odom", []string{}},
		{"/image_raw", []string{"/camera/image_raw"}},
		{"image_raw", []string{"/camera/image_raw"}},
		{"/camera/depth", []string{}},
		{"/nothing", []string{}},
		{"", []string{}},
	} {
		if got := Near(c.word, topics); !slices.Equal(got, c.want) {
			t.Errorf("Near(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"mase", "; did you mean 'maze'?"}, {"zzz", ""}, {"areni", "; did you mean 'arena' or 'arenb'?"},
	} {
		if got := DidYouMean(c.word, []string{"maze", "arena", "arenb"}); got != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1},
		{"kitten", "sitting", 3}, {"größe", "grosse", 3},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// The distance is the same both ways, zero for the same word alone, and no longer than the longer word.
func TestDistanceIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune("abcä_/")), 0, 8, -1)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		switch {
		case d != distance(b, a):
			t.Fatalf("%d one way, %d the other", d, distance(b, a))
		case (d == 0) != (a == b):
			t.Fatalf("%q and %q are %d apart", a, b, d)
		case d > max(len([]rune(a)), len([]rune(b))):
			t.Fatalf("%d letters differ", d)
		}
	})
}
