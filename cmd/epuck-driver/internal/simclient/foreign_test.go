// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simclient

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
)

// TestForeignFilesInsteadOfARobot: what --robot names is read before the simulation is asked.
func TestForeignFilesInsteadOfARobot(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, _, err := FindModel(path)
		return err
	}, filekind.URDF)
}
