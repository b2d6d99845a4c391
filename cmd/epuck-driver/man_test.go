// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
)

func TestManPageSaysWhatTheProgramCanDo(t *testing.T) {
	var out, problem bytes.Buffer
	if status := dispatch(t.Context(), streams{out: &out, err: &problem}, []string{"man"}); status != exitOK {
		t.Fatalf("status %d: %s", status, problem.String())
	}
	page := out.String()
	for _, c := range documented(newRoot(&program{})) {
		if !strings.Contains(page, "\n.B epuck\\-driver "+c.Name()+"\n") || !strings.Contains(page, "\n"+roff(c.Short)+"; see ") {
			t.Errorf("nothing about the command %s", c.Name())
		}
	}
	for _, p := range table.Parameters() {
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
	if status := dispatch(t.Context(), streams{out: &out, err: &problem}, []string{"man", "woman"}); status != exitUsage {
		t.Errorf("status %d for an argument", status)
	}
}

// TestManPageIsTheSameTwice: packages that contain it are compared byte by byte.
func TestManPageIsTheSameTwice(t *testing.T) {
	b := buildInfo{Version: "v1", Date: "2026-11-20"}
	if page(newRoot(&program{}), b) != page(newRoot(&program{}), b) {
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

func TestManPagesOfCommands(t *testing.T) {
	var out, problem bytes.Buffer
	if status := dispatch(t.Context(), streams{out: &out, err: &problem}, []string{"man", "topic", "pub"}); status != exitOK {
		t.Fatalf("status %d: %s", status, problem.String())
	}
	for _, want := range []string{".TH EPUCK\\-DRIVER\\-TOPIC\\-PUB 1 ", "topic_name message_type [values]", ".B \\-1, \\-\\-once\n", "(default 1)",
		".SH EXAMPLES\n.nf\n"} {
		if !strings.Contains(strings.ReplaceAll(out.String(), "\\_", "_"), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	dir := t.TempDir()
	if status := dispatch(t.Context(), streams{out: &out, err: &problem}, []string{"man", "--dir", dir}); status != exitOK {
		t.Fatalf("status %d: %s", status, problem.String())
	}
	pages, err := filepath.Glob(filepath.Join(dir, "epuck-driver*.1"))
	if err != nil || len(pages) < 30 {
		t.Errorf("%d pages, %v", len(pages), err)
	}
	if status := dispatch(t.Context(), streams{out: &out, err: &problem}, []string{"man", "--dir", filepath.Join(dir, "no/such")}); status != exitFailed {
		t.Errorf("status %d for a folder that is not there", status)
	}
}
