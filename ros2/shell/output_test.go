// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// fullDisk takes some bytes and fails then.
type fullDisk struct {
	left int
	err  error
}

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, d.err
	}
	return len(p), nil
}

// TestToolsEndWhenTheirOutputCannotBeWritten: at once, with a status, and with a word unless the reader has gone.
func TestToolsEndWhenTheirOutputCannotBeWritten(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		p, err := ros2.NewPublisher[std_msgs.String](w.node, "/talk", ros2.LatchedQoS())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Publish(&std_msgs.String{Data: "hello"}); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			"topic list", "topic echo /talk", "topic echo --csv /talk", "topic echo --once /talk", "topic pub /talk std_msgs/msg/String", "topic bw /talk",
			"topic info /robot/state", "node list", "service list", "param list /robot/driver", "interface list",
		} {
			for _, cause := range []error{syscall.ENOSPC, syscall.EPIPE} {
				var problem bytes.Buffer
				env := w.env(nil, &problem)
				env.Out = &fullDisk{err: cause}
				began := time.Now()
				status := shell.Run(w.t.Context(), env, strings.Fields(line))
				said := strings.Contains(problem.String(), cause.Error())
				if status != shell.ExitFailed || said != (cause == syscall.ENOSPC) || time.Since(began) > time.Minute {
					t.Errorf("%s with %v: status %d after %v, said %q", line, cause, status, time.Since(began), problem.String())
				}
			}
		}
	})
}
