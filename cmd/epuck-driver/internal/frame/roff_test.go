// SPDX-License-Identifier: Apache-2.0

package frame

import "testing"

func TestRoff(t *testing.T) {
	for in, want := range map[string]string{
		"plain":          "plain",
		"--for 10s":      `\-\-for 10s`,
		`C:\x`:           `C:\ex`,
		".hidden":        `\&.hidden`,
		"'quoted'":       `\&'quoted'`,
		"see `odom`":     "see odom",
		"two\nlines":     "two lines",
		`the "best" one`: `the \(dqbest\(dq one`,
		"":               "",
	} {
		if got := Roff(in); got != want {
			t.Errorf("roff(%q) = %q, want %q", in, got, want)
		}
	}
}
