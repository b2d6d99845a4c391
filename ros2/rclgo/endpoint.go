// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// rclEndpoint is the part that all endpoints share.
type rclEndpoint struct {
	t    *Transport
	node *node
	gid  ros2.GID

	watched []*qosEvent // since begin, until finish

	calls  sync.Mutex // held through callbacks
	closed bool
}

// GID identifies the endpoint in the graph; zero if rcl does not provide it.
func (e *rclEndpoint) GID() ros2.GID { return e.gid }

// while runs f unless the endpoint is closed; f may run callbacks.
func (e *rclEndpoint) while(f func()) {
	e.calls.Lock()
	defer e.calls.Unlock()
	if !e.closed {
		f()
	}
}

// begin creates the endpoint's rcl object on its node, and adds it to the spinner.
func (e *rclEndpoint) begin(name ros2.NodeName, make func() error, add func(*spinner)) error {
	e.t.rcl.Lock()
	defer e.t.rcl.Unlock()
	var err error
	if e.node, err = e.t.hold(name); err != nil {
		return err
	}
	if err := make(); err != nil {
		return errors.Join(err, e.t.release(e.node))
	}
	e.t.spin.change(func(s *spinner) {
		add(s)
		s.events = append(s.events, e.watched...)
	})
	return nil
}

// finish waits for a running callback, removes the endpoint from the spinner and destroys its rcl object.
func (e *rclEndpoint) finish(remove func(*spinner), end func() error) error {
	e.calls.Lock()
	again := e.closed
	e.closed = true
	e.calls.Unlock()
	if again {
		return nil
	}
	e.t.spin.change(func(s *spinner) {
		remove(s)
		s.dropEvents(e)
	})
	e.t.rcl.Lock()
	defer e.t.rcl.Unlock()
	return errors.Join(e.endEvents(), end(), e.t.release(e.node))
}
