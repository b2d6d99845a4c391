// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package driving

import (
	"bufio"
	"io"
	"strings"
	"testing"

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

// On a terminal the counters of a map are seen while it is made.
func TestMapShowsItsProgress(t *testing.T) {
	ours, theirs := fixtures.OpenTerminal(t, 120)
	defer func() { _ = theirs.Close() }()
	out := tty.NewOutlet(theirs)
	defer out.Close()
	hide := showMapping(t.Context(), tty.NewTerminal(out), func() mapnode.Stats { return mapnode.Stats{Used: 7, Late: 2, Refused: 1} })
	awaitOnScreen(t, ours, "mapping for 0s | 7 readings used, 2 without a place, 1 refused")
	hide()
	showMapping(t.Context(), nil, nil)() // no terminal, no status
}
