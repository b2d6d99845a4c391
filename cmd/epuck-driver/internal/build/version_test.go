// SPDX-License-Identifier: Apache-2.0

package build

import (
	"runtime"
	"runtime/debug"
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
		want                  Info
	}{
		{
			"release for the robot", "v1.2.3", "5da1346", "2026-11-20",
			recordVersion("-tags", "netgo,osusergo", "CGO_ENABLED", "1", "GOARM", "6", "vcs.revision", "ffff", "vcs.modified", "true"),
			Info{Version: "v1.2.3", Commit: "5da1346", Date: "2026-11-20", GOARM: "6", Tags: []string{"netgo", "osusergo"}, Cgo: true,
				Camera: "V4L2", Transports: []string{"rtps"}},
		},
		{
			"plain go build in a changed tree", "", "", "",
			recordVersion("CGO_ENABLED", "0", "vcs.revision", "ffff", "vcs.modified", "true", "vcs.time", "2026-11-20T18:50:00Z"),
			Info{Version: "v9.9.9", Commit: "ffff-dirty", Date: "2026-11-20", Tags: []string{},
				Camera: "none (built without cgo)", Transports: []string{"rtps"}},
		},
		{
			"the other transport, race detector", "", "", "", recordVersion("-tags", "rclgo", "CGO_ENABLED", "1", "-race", "true"),
			Info{Version: "v9.9.9", Tags: []string{"rclgo"}, Cgo: true, Race: true, Camera: "V4L2", Transports: []string{"rtps", "rclgo"}},
		},
		{
			"no record at all", "", "", "", nil,
			Info{Version: "unknown", Tags: []string{}, Camera: "none (built without cgo)", Transports: []string{"rtps"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			oldVersion, oldCommit, oldDate := Version, Commit, Date
			t.Cleanup(func() { Version, Commit, Date = oldVersion, oldCommit, oldDate })
			Version, Commit, Date = c.version, c.commit, c.date
			c.want.Go, c.want.OS, c.want.Arch = runtime.Version(), runtime.GOOS, runtime.GOARCH
			if diff := cmp.Diff(c.want, describe(c.record)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
