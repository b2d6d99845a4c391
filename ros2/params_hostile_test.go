// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestParameterFilesAreRegularAndOfBoundedSize(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 16<<20+1)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{"/dev/null": regular.ErrKind, large: regular.ErrLarge} {
		if _, _, err := ros2.ParseArgs([]string{"--ros-args", "--params-file", path}); !errors.Is(err, want) || !errors.Is(err, ros2.ErrParamsFile) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}
