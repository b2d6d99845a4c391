// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"errors"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

func TestOverridesAreReadFromRegularFilesAlone(t *testing.T) {
	if _, err := (&bagNode{overrides: "/dev/null"}).profiles(); !errors.Is(err, regular.ErrKind) {
		t.Error(err)
	}
}

// TestDefaultFolderHasTheTime: rosbag2_ and the time, in the form of rosbag2.
func TestDefaultFolderHasTheTime(t *testing.T) {
	if name := (&recordOptions{}).folder(); !regexp.MustCompile(`^rosbag2_\d{4}_\d\d_\d\d-\d\d_\d\d_\d\d$`).MatchString(name) {
		t.Error(name)
	}
	if name := (&recordOptions{output: "a//b/"}).folder(); name != filepath.Clean("a/b") {
		t.Error(name)
	}
}
