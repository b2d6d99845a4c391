// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func recordVersion(settings ...string) *debug.BuildInfo {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v9.9.9"}}
	for i := 0; i < len(settings); i += 2 {
		info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
	}
	return info
}

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		name                  string
		version, commit, date string // the release build's
		record                *debug.BuildInfo
		want                  buildInfo
	}{
		{
			"release for the robot", "v1.2.3", "5da1346", "2026-11-20",
			recordVersion("-tags", "netgo,osusergo", "CGO_ENABLED", "1", "GOARM", "6", "vcs.revision", "ffff", "vcs.modified", "true"),
			buildInfo{Version: "v1.2.3", Commit: "5da1346", Date: "2026-11-20", GOARM: "6", Tags: []string{"netgo", "osusergo"}, Cgo: true,
				Camera: "V4L2", Transports: []string{"rtps"}},
		},
		{
			"plain go build in a changed tree", "", "", "",
			recordVersion("CGO_ENABLED", "0", "vcs.revision", "ffff", "vcs.modified", "true", "vcs.time", "2026-11-20T18:50:00Z"),
			buildInfo{Version: "v9.9.9", Commit: "ffff-dirty", Date: "2026-11-20", Tags: []string{},
				Camera: "none (built without cgo)", Transports: []string{"rtps"}},
		},
		{
			"the other transport, race detector", "", "", "", recordVersion("-tags", "rclgo", "CGO_ENABLED", "1", "-race", "true"),
			buildInfo{Version: "v9.9.9", Tags: []string{"rclgo"}, Cgo: true, Race: true, Camera: "V4L2", Transports: []string{"rtps", "rclgo"}},
		},
		{
			"no record at all", "", "", "", nil,
			buildInfo{Version: "unknown", Tags: []string{}, Camera: "none (built without cgo)", Transports: []string{"rtps"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			oldVersion, oldCommit, oldDate := version, commit, date
			t.Cleanup(func() { version, commit, date = oldVersion, oldCommit, oldDate })
			version, commit, date = c.version, c.commit, c.date
			c.want.Go, c.want.OS, c.want.Arch = runtime.Version(), runtime.GOOS, runtime.GOARCH
			if diff := cmp.Diff(c.want, describe(c.record)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestVersionPrintsForPeopleAndPrograms(t *testing.T) {
	var text, object, errs bytes.Buffer
	if status := dispatch(t.Context(), streams{out: &text, err: &errs}, []string{"version"}); status != exitOK {
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
	if status := dispatch(t.Context(), streams{out: &object, err: &errs}, []string{"version", "--json"}); status != exitOK {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	var got buildInfo
	if err := json.Unmarshal(object.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, object.String())
	}
	if diff := cmp.Diff(thisBuild(), got); diff != "" {
		t.Errorf("what JSON carries (-is +got):\n%s", diff)
	}
}
