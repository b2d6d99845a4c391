// SPDX-License-Identifier: Apache-2.0

package library_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

func TestForeignFilesInsteadOfADescription(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, err := library.Load(path)
		return err
	}, filekind.URDF)
}
