// SPDX-License-Identifier: Apache-2.0

package mapping_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
	"github.com/epuck-ros2/epuck-driver/mapping"
)

// TestForeignFilesInsteadOfAMap: the YAML file and the picture of a map are each named as what they are.
func TestForeignFilesInsteadOfAMap(t *testing.T) {
	load := func(path string) error {
		_, err := mapping.Load(path)
		return err
	}
	filekindtest.Refused(t, load, filekind.MapYAML)
	filekindtest.Refused(t, func(picture string) error {
		path := filepath.Join(t.TempDir(), "map.yaml")
		if err := os.WriteFile(path, []byte("image: "+picture+"\nresolution: 0.05\norigin: [0, 0, 0]\n"), 0o600); err != nil {
			return err
		}
		return load(path)
	}, filekind.PNG)
}
