// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

func TestManPageSaysWhatTheProgramCanDo(t *testing.T) {
	var out, problem bytes.Buffer
	if status := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &problem}, []string{"man"}, commandGroups()); status != frame.ExitOK {
		t.Fatalf("status %d: %s", status, problem.String())
	}
	page := out.String()
	for _, c := range frame.Documented(frame.NewRoot(&frame.Program{}, commandGroups())) {
		if !strings.Contains(page, "\n.B epuck\\-driver "+c.Name()+"\n") || !strings.Contains(page, "\n"+frame.Roff(c.Short)+"; see ") {
			t.Errorf("nothing about the command %s", c.Name())
		}
	}
	for _, p := range table.Parameters() {
		if !strings.Contains(page, "\n.B "+frame.Roff(p.Name+" ("+p.TypeName()+")")+"\n") {
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
	if status := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &problem}, []string{"man", "woman"}, commandGroups()); status != frame.ExitUsage {
		t.Errorf("status %d for an argument", status)
	}
}

func TestManPagesOfCommands(t *testing.T) {
	var out, problem bytes.Buffer
	if status := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &problem}, []string{"man", "topic", "pub"}, commandGroups()); status != frame.ExitOK {
		t.Fatalf("status %d: %s", status, problem.String())
	}
	for _, want := range []string{".TH EPUCK\\-DRIVER\\-TOPIC\\-PUB 1 ", "topic_name message_type [values]", ".B \\-1, \\-\\-once\n", "(default 1)",
		".SH EXAMPLES\n.nf\n"} {
		if !strings.Contains(strings.ReplaceAll(out.String(), "\\_", "_"), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	dir := t.TempDir()
	if status := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &problem}, []string{"man", "--dir", dir}, commandGroups()); status != frame.ExitOK {
		t.Fatalf("status %d: %s", status, problem.String())
	}
	pages, err := filepath.Glob(filepath.Join(dir, "epuck-driver*.1"))
	if err != nil || len(pages) < 30 {
		t.Errorf("%d pages, %v", len(pages), err)
	}
	if status := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &problem}, []string{"man", "--dir", filepath.Join(dir, "no/such")}, commandGroups()); status != frame.ExitFailed {
		t.Errorf("status %d for a folder that is not there", status)
	}
}
