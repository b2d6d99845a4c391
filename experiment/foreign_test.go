// SPDX-License-Identifier: Apache-2.0

package experiment_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/experiment"
	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
)

func TestForeignFilesInsteadOfAnExperiment(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, err := experiment.Load(path)
		return err
	})
}
