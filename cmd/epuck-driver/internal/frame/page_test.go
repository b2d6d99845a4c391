// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
)

// TestManPageIsTheSameTwice: packages that contain it are compared byte by byte.
func TestManPageIsTheSameTwice(t *testing.T) {
	b := build.Info{Version: "v1", Date: "2026-11-20"}
	if page(NewRoot(&Program{}, nil), b) != page(NewRoot(&Program{}, nil), b) {
		t.Error("two renderings differ")
	}
}
