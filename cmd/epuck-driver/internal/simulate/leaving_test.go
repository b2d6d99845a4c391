// SPDX-License-Identifier: Apache-2.0

//go:build system && !arm

package simulate

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"
)

// TestRobotsThatLeaveAreReported: each robot of a run is reported when it has left the network, which the limit of the
// end takes for progress.
func TestRobotsThatLeaveAreReported(t *testing.T) {
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(os.Getpid()%200+1))
	var left atomic.Uint64
	o := simOptions{left: func() { left.Add(1) }}
	simulate(t, &o, "--world", "empty", "--robots", "3", "--level", "functional", "--for", "100ms", "--web=off")
	if left.Load() != 3 {
		t.Errorf("%d robots of 3 have left", left.Load())
	}
}
