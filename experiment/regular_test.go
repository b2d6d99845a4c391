// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"errors"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

func TestResultsAreReadFromRegularFilesAlone(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("/dev/null", fileOf(folder, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := new(Experiment).read(folder, 1); !errors.Is(err, regular.ErrKind) {
		t.Error(err)
	}
}
