// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
)

// output is the output of one run of a tool. The first failure ends the tool: showing messages is all that it does. It
// is safe for concurrent use.
type output struct {
	w      io.Writer
	failed func() // called at the first failure

	mu  sync.Mutex
	err error
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	if o.err = err; err != nil {
		o.failed()
	}
	return n, err
}

func (o *output) error() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// lost prints that the output could not be written, unless its reader has gone because it has enough, and returns the
// exit status.
func (env *Env) lost(err error) error {
	if !errors.Is(err, syscall.EPIPE) {
		fmt.Fprintf(env.Err, "The output could not be written: %v\n", err)
	}
	return Status(ExitFailed)
}
