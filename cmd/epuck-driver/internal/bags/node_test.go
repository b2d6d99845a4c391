// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

func TestOverridesAreReadFromRegularFilesAlone(t *testing.T) {
	if _, err := (&bagNode{overrides: "/dev/null"}).profiles(); !errors.Is(err, regular.ErrKind) {
		t.Error(err)
	}
}
