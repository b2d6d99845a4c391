// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ddsEndpoint is the part that all ROS endpoints share: registration in the graph, and closing. A service or client has
// two DDS endpoints, the others one.
type ddsEndpoint struct {
	t    *Transport
	info ros2.EndpointInfo

	// Guarded by Transport.mu.
	reader, writer wire.GUID    // zero if it has none
	node           *localNode   // nil if not in Transport.own
	slot           int          // in node.endpoints
	before, after  *ddsEndpoint // on the same topic in localGraph.topics

	events sync.Mutex // held during callbacks: Close acquires it last
	closed atomic.Bool
}

// GID identifies the endpoint in the graph: it is the GUID of its reader, or of a publisher's writer.
func (e *ddsEndpoint) GID() ros2.GID {
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	return e.info.GID
}

// register adds the endpoint to the graph, with the GUIDs of its parts; one of them may be zero.
func (e *ddsEndpoint) register(reader, writer wire.GUID) error {
	return e.t.update(func() error {
		e.reader, e.writer = reader, writer
		e.info.GID = ros2.GID(reader.Bytes())
		if reader.IsZero() {
			e.info.GID = ros2.GID(writer.Bytes())
		}
		e.t.own.add(e)
		return nil
	})
}

// call runs a callback unless the endpoint is closed.
func (e *ddsEndpoint) call(f func()) {
	e.events.Lock()
	defer e.events.Unlock()
	if !e.closed.Load() {
		f()
	}
}

// stopCallbacks prevents new callbacks and waits for the running one, up to closeTimeout.
func (e *ddsEndpoint) stopCallbacks() error {
	e.closed.Store(true)
	end := time.Now().Add(closeTimeout)
	for pause := minLook; !e.events.TryLock(); pause = min(2*pause, maxLook) {
		if time.Now().After(end) {
			return fmt.Errorf("%s: callback: %w after %v", e.info.Topic, ros2.ErrStuck, closeTimeout)
		}
		<-time.After(pause)
	}
	e.events.Unlock()
	return nil
}

// How long close waits for a callback, and how often it checks.
const (
	closeTimeout     = time.Second
	minLook, maxLook = 100 * time.Microsecond, 10 * time.Millisecond
)

// close removes the endpoint from the graph, closes its parts, and waits for a running callback, at most one second:
// then the error is ros2.ErrStuck.
func (e *ddsEndpoint) close(parts ...func() error) error {
	e.t.mu.Lock()
	open := e.node != nil && !e.t.closed
	e.t.mu.Unlock()
	if !open { // closed before, or with the transport
		return nil
	}
	errs := []error{e.t.update(func() error {
		if e.node != nil {
			e.t.own.remove(e)
		}
		return nil
	})}
	for _, off := range parts {
		errs = append(errs, off())
	}
	return errors.Join(append(errs, e.stopCallbacks())...)
}
