// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package orderlog

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
)

// The lines of the logs of this test.
const (
	scan  = `3.200000000+1 /a subscription "/scan" > /cmd_vel 00c3a1b2d4e5f607`
	other = `3.200000000+1 /a subscription "/scan" > /cmd_vel 00c3a1b2d4e5f608`
	timer = `3.200000000+0 /b timer "step"`
)

func write(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log")
	text := strings.Join(lines, "\n")
	if len(lines) > 0 {
		text += "\n"
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// The command prints the first difference and the line of each run, and ends with an error; equal runs are reported.
func TestDiffPrintsTheFirstDifference(t *testing.T) {
	for _, c := range []struct {
		name       string
		run1, run2 []string
		want       []string // of the output, RUN1 and RUN2 are the files
		err        error
	}{
		{"equal", []string{timer, scan}, []string{timer, scan}, []string{"The runs are the same: 2 callbacks."}, nil},
		{"another message", []string{timer, scan, timer}, []string{timer, other, scan}, []string{
			`run 2 diverges from run 1 at t = 3.200 s: /a subscription "/scan" sent something else: another message on /cmd_vel`,
			"RUN1:2: " + scan, "RUN2:2: " + other,
		}, errDiffer},
		{"another callback", []string{timer, timer}, []string{timer, scan}, []string{
			`node /a ran before /b`, "RUN1:2: " + timer, "RUN2:2: " + scan,
		}, errDiffer},
		{"a shorter one", []string{timer, scan}, []string{timer}, []string{`it ends before /a`, "RUN1:2: " + scan, "RUN2:2: (end)"}, errDiffer},
		{"a longer one", []string{timer}, []string{timer, scan}, []string{"where run 1 ends", "RUN1:2: (end)", "RUN2:2: " + scan}, errDiffer},
		{"an empty one", []string{timer}, nil, nil, errEmpty},
		{"no log", []string{"x"}, []string{timer}, nil, order.ErrRecord},
	} {
		files := []string{write(t, c.run1...), write(t, c.run2...)}
		var out bytes.Buffer
		cmd := NewDiff(&frame.Program{Streams: frame.Streams{Out: &out}})
		if err := cmd.RunE(cmd, files); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.name, err, c.err)
		}
		for _, want := range c.want {
			want = strings.NewReplacer("RUN1", files[0], "RUN2", files[1]).Replace(want)
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, out.String())
			}
		}
	}
	cmd := NewDiff(&frame.Program{})
	if err := cmd.RunE(cmd, []string{"/nowhere/x", "/nowhere/y"}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
