// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver"
)

func TestManPageSaysWhatTheProgramCanDo(t *testing.T) {
	var out, problem bytes.Buffer
	if status := dispatch(t.Context(), streams{&out, &problem}, []string{"man"}); status != exitOK {
		t.Fatalf("status %d: %s", status, problem.String())
	}
	page := out.String()
	for _, c := range commands() {
		if !strings.Contains(page, "\n.B epuck\\-driver "+c.name+"\n") || !strings.Contains(page, "\n"+roff(c.summary)+"\n") {
			t.Errorf("nothing about the command %s", c.name)
		}
	}
	for _, p := range driver.Parameters() {
		if !strings.Contains(page, "\n.B "+roff(p.Name+" ("+p.TypeName()+")")+"\n") {
			t.Errorf("nothing about the parameter %s", p.Name)
		}
	}
	for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "PARAMETERS", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"} {
		if strings.Count(page, "\n.SH "+section+"\n") != 1 {
			t.Errorf("not one section %s", section)
		}
	}
	if !strings.HasPrefix(page, ".TH EPUCK\\-DRIVER 1 ") {
		t.Errorf("begins with %q", page[:30])
	}
	if status := dispatch(t.Context(), streams{&out, &problem}, []string{"man", "woman"}); status != exitUsage {
		t.Errorf("status %d for an argument", status)
	}
}

// TestManPageIsTheSameTwice: packages that contain it are compared byte by byte.
func TestManPageIsTheSameTwice(t *testing.T) {
	b := buildInfo{Version: "v1", Date: "2026-11-20"}
	if manPage(b) != manPage(b) {
		t.Error("two renderings differ")
	}
}

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
		if got := roff(in); got != want {
			t.Errorf("roff(%q) = %q, want %q", in, got, want)
		}
	}
}
