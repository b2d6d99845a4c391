// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package orderlog

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
)

func TestForeignFilesInsteadOfALogOfTheOrder(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, err := Read(path)
		return err
	})
}
