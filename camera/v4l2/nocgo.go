// SPDX-License-Identifier: Apache-2.0

//go:build linux && !cgo

package v4l2

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// builtIn returns an error: go4vl needs cgo.
func builtIn() error {
	return fmt.Errorf("%w: V4L2 capture needs a program built with cgo (CGO_ENABLED=1)", camera.ErrNotBuiltIn)
}

func openNode(string) (node, error) { return nil, builtIn() }
