// SPDX-License-Identifier: Apache-2.0

//go:build linux && !cgo

package v4l2

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// TestWithoutCgo: the package is there, and says what is missing.
func TestWithoutCgo(t *testing.T) {
	d := New(Config{})
	_, openErr := d.Open(t.Context(), vga)
	_, modesErr := d.Modes(t.Context())
	_, listErr := List()
	_, findErr := Find("/dev/video0")
	_, nodeErr := machine().open("/dev/video0")
	for _, err := range []error{openErr, modesErr, listErr, findErr, nodeErr} {
		if !errors.Is(err, camera.ErrNotBuiltIn) || !strings.Contains(err.Error(), "CGO_ENABLED=1") {
			t.Errorf("%v", err)
		}
	}
	if d.Name() != auto {
		t.Error(d.Name())
	}
}
