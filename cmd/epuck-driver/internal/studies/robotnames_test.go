// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestRobotsAreNamedAsForTheSimulator: by the beginning of a name; a misspelled one is answered with similar ones.
func TestRobotsAreNamedAsForTheSimulator(t *testing.T) {
	groups := []frame.Group{{ID: "x", Title: "X:", Commands: []frame.Maker{NewRobotsCommand}}}
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"robots show turtlebot3", frame.ExitOK, "turtlebot3"}, {"robots frames turtlebot3", frame.ExitOK, "base_link"}, {"robots urdf turtlebot3", frame.ExitOK, "<robot"},
		{"robots show turtelbot3_burger", frame.ExitFailed, "did you mean 'turtlebot3_burger'?"}, {"robots show kephera4", frame.ExitFailed, "did you mean 'khepera4'?"},
		{"robots urdf nothing", frame.ExitFailed, "there are"}, {"robots frames epuck2 left=0,5", frame.ExitUsage, "numbers have a point: 0.5"},
	} {
		var out, problem bytes.Buffer
		status := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &problem}, strings.Fields(c.line), groups)
		if text := out.String() + problem.String(); status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.line, status, text[:min(len(text), 300)], c.status, c.want)
		}
	}
}
