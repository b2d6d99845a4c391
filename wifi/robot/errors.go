// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// errConfig is matched when a [Config] lacks something.
var errConfig = errors.New("wifi: bad configuration")

// errOccupied is matched by the reason of a lost link when the robot accepts connections and sends nothing on them.
// The firmware does so while another client is connected: it serves one at a time, and the next one waits in its
// queue (socket_e-puck2.c, states 2 and 3).
var errOccupied = errors.New("the robot accepts the connection and sends nothing, as it does while another program is connected to it")

// linkError is a transaction that failed because of the link. It wraps the error number of a bus that fails in the
// same way.
type linkError struct {
	addr string
	why  string
	err  error // may be nil
	no   syscall.Errno
}

func (e *linkError) Error() string {
	if e.err != nil {
		return fmt.Sprintf("wifi %s: %s: %v", e.addr, e.why, e.err)
	}
	return fmt.Sprintf("wifi %s: %s", e.addr, e.why)
}

// Unwrap returns the error number.
func (e *linkError) Unwrap() error { return e.no }

// Advice returns what the user should do, for the diagnostics.
func (e *linkError) Advice() string {
	if errors.Is(e.err, errOccupied) {
		return fmt.Sprintf("The e-puck2 at %s accepts the connection and sends nothing: another program is connected to it, and it talks to one at a time. "+
			"End that program, such as another epuck-driver run --wifi, on this or another computer. If there is none, switch the robot off and on. "+
			"It keeps its last speeds meanwhile.", e.addr)
	}
	if e.no == system.EREMOTEIO {
		return fmt.Sprintf("The e-puck2 can't be reached at %s. Switch it on with its selector at 15 (F) and the Wi-Fi firmware in its radio module, "+
			"let it join this network, and end other programs that drive it: it talks to one at a time. It keeps its last speeds meanwhile.", e.addr)
	}
	return fmt.Sprintf("The e-puck2 at %s is connected and sends nothing. Check the radio link, and that its selector is at 15 (F). "+
		"It keeps its last speeds meanwhile.", e.addr)
}
