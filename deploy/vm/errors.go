// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// errUnavailable is matched when this computer cannot run or build the virtual machine; the error says what is
	// missing.
	errUnavailable = errors.New("vm: not available here")
	// errGone is matched when the machine has ended, or its agent cannot be spoken to any more.
	errGone = errors.New("vm: the machine is gone")
	// errAgent is matched when the agent answers with an error of its own.
	errAgent = errors.New("vm: guest agent")
)

// ExitError is a command in the machine that ended with a status other than 0.
type ExitError struct {
	Command string
	Status  int    // exit status; 128 and more: ended by the signal Status−128
	Output  string // what it wrote, error output after ordinary output
}

// Error names the command, its status and what it wrote.
func (e *ExitError) Error() string {
	return fmt.Sprintf("vm: %s: exit status %d\n%s", e.Command, e.Status, strings.TrimSpace(e.Output))
}
