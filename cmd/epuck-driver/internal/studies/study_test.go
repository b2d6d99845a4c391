// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"bytes"
	"context"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// study runs one of this package's commands in this process.
func study(args ...string) (status int, out, problem string) {
	var o, e bytes.Buffer
	group := frame.Group{ID: "robot", Title: "The robot:", Commands: []frame.Maker{NewExperimentCommand, NewEstimateCommand, NewRobotsCommand}}
	status = frame.Dispatch(context.Background(), frame.Streams{Out: &o, Err: &e}, args, []frame.Group{group})
	return status, o.String(), e.String()
}
