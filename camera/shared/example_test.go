// SPDX-License-Identifier: Apache-2.0

package shared_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
)

// The driver opens the camera as its owner, live video as a viewer.
func Example() {
	c := shared.New(&broken{refuse: camera.ErrNoDevice})
	for _, d := range []camera.Device{c.Owner(), c.Viewer()} {
		_, err := d.Open(context.Background(), mode)
		fmt.Println(errors.Is(err, camera.ErrNoDevice))
	}
	// Output:
	// true
	// true
}
