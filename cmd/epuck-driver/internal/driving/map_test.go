// SPDX-License-Identifier: Apache-2.0

//go:build linux && !arm

package driving

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
)

// awaitOnScreen reads what a program writes to its terminal until a text is in it.
func awaitOnScreen(t *testing.T, screen io.Reader, want string) {
	t.Helper()
	var seen strings.Builder
	for in := bufio.NewReader(screen); !strings.Contains(seen.String(), want); {
		r, _, err := in.ReadRune()
		if err != nil {
			t.Fatalf("%q does not come: %v, %q", want, err, seen.String())
		}
		seen.WriteRune(r)
	}
}

// On a terminal of 80 columns the counters of a map are shown while it is made, and how to end it.
func TestMapShowsItsProgress(t *testing.T) {
	ours, theirs := fixtures.OpenTerminal(t, 80)
	defer func() { _ = theirs.Close() }()
	out := tty.NewOutlet(theirs)
	defer out.Close()
	hide := showMapping(t.Context(), tty.NewTerminal(out), func() mapnode.Stats { return mapnode.Stats{Used: 7, Late: 2, Refused: 1} })
	awaitOnScreen(t, ours, "mapping 0s, Ctrl-C saves | 7 readings, 2 without a pose, 1 rejected")
	hide()
	showMapping(t.Context(), nil, nil)() // no terminal, no status
}

func TestMapStatusFitsTheTerminal(t *testing.T) {
	line := mappingText(59*time.Minute+59*time.Second, mapnode.Stats{Used: 999_999, Late: 999, Refused: 99})
	if n := len(line); n >= 80 {
		t.Errorf("%d columns: %q", n, line)
	}
}
