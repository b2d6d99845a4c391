// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestForeignFilesInsteadOfAWorld(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, err := world.LoadFile(path)
		return err
	})
}
