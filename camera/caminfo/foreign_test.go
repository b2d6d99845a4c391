// SPDX-License-Identifier: Apache-2.0

package caminfo

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
)

func TestForeignFilesInsteadOfACameraCalibration(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, err := Load(path)
		return err
	})
}
