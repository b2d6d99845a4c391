// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// errUnavailable is matched when this computer can't run or build the virtual machine; the error names what is
	// missing.
	errUnavailable = errors.New("vm: not available here")
	// errGone is matched when the machine has ended, or the connection to its agent is lost.
	errGone = errors.New("vm: the machine has ended")
	// errAgent is matched when the agent returns an error or does not respond.
	errAgent = errors.New("vm: guest agent")
)

// ExitError is a command in the machine that ended with a status other than 0.
type ExitError struct {
	Command string
	Status  int    // exit status; 128 and more: ended by the signal Status−128
	Output  string // standard output, then standard error
}

// Error returns the command, its status and its output.
func (e *ExitError) Error() string {
	return fmt.Sprintf("vm: %s: exit status %d\n%s", e.Command, e.Status, strings.TrimSpace(e.Output))
}
