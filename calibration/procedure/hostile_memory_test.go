// SPDX-License-Identifier: Apache-2.0

//go:build system

package procedure

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/memorylimit"
)

// TestGiantPictureTakesNoMemory: its pixels would take 2.5 GB.
func TestGiantPictureTakesNoMemory(t *testing.T) {
	memorylimit.Run(t, 200<<20, TestGiantPictureIsNotDecoded)
}
