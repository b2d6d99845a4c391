// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package v4l2

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// builtIn says whether this program can capture: go4vl is written in C in part.
func builtIn() error {
	return fmt.Errorf("%w: V4L2 capture needs a program built with cgo (CGO_ENABLED=1)", camera.ErrNotBuiltIn)
}

func openNode(string) (node, error) { return nil, builtIn() }
