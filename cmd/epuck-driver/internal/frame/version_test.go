// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
)

func TestVersionPrintsForPeopleAndPrograms(t *testing.T) {
	var text, object, errs bytes.Buffer
	only := []Group{{ID: "program", Title: "This program:", Commands: []Maker{NewVersionCommand}}}
	if status := Dispatch(t.Context(), Streams{Out: &text, Err: &errs}, []string{"version"}, only); status != ExitOK {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	for i, word := range []string{"epuck-driver ", "commit ", "settings ", "camera ", "transports "} {
		if i >= len(lines) || !strings.HasPrefix(strings.TrimSpace(lines[i]), word) {
			t.Fatalf("line %d is not about %q:\n%s", i, word, text.String())
		}
	}
	if !strings.Contains(lines[0], runtime.Version()) {
		t.Errorf("no Go version in %q", lines[0])
	}
	if status := Dispatch(t.Context(), Streams{Out: &object, Err: &errs}, []string{"version", "--json"}, only); status != ExitOK {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	var got build.Info
	if err := json.Unmarshal(object.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, object.String())
	}
	if diff := cmp.Diff(build.This(), got); diff != "" {
		t.Errorf("what JSON carries (-is +got):\n%s", diff)
	}
}
