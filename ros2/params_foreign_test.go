// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestForeignFilesInsteadOfParameters: an empty file, which a power cut leaves, is an error, too. One of comments alone
// sets nothing.
func TestForeignFilesInsteadOfParameters(t *testing.T) {
	load := func(path string) error {
		_, _, err := ros2.ParseArgs([]string{"--ros-args", "--params-file", path})
		if err != nil && !errors.Is(err, ros2.ErrParamsFile) {
			t.Errorf("%v does not match ErrParamsFile", err)
		}
		return err
	}
	filekindtest.Refused(t, load, filekind.Parameters)
	for text, refused := range map[string]bool{"\n \n": true, "# nothing yet\n": false, "/**:\n  ros__parameters:\n": false} {
		path := filepath.Join(t.TempDir(), "params.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := load(path); (err != nil) != refused || refused && !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
