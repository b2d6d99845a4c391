// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// maxCalls is the maximum of concurrent calls of services and parameters and requests for assets of a client.
const maxCalls = 32

// client is one connection. handle runs on its reading goroutine, sendChanges on another; mu guards what both use.
type client struct {
	server *Server
	hub    *hub.Hub
	role   guard.Role
	box    *outbox.Box
	driver *teleop.Driver
	page   bool // it uses PageProtocol
	ctx    context.Context
	wg     task.Group
	news   chan struct{} // capacity 1: graph or drivers changed
	events chan []byte   // changes of parameters, CDR
	calls  chan struct{} // holds a token for each running call
	begun  time.Time
	delay  delay // of commands; used by handle only
	late   bool  // the last command was late, which was reported; used by handle only

	mu            sync.Mutex
	channels      map[uint32]hub.Topic // advertised to the client
	feed          map[uint32]*FeedChannel
	undescribed   map[string]bool // types that the client knows to be without description
	services      map[uint32]hub.Service
	subscriptions map[uint32]*subscription
	publications  map[uint32]*publication
	graph         *graphView // as sent to the client; nil if it is not subscribed
	watch         *parameterWatch
	control       string // the drivers as sent last
	cancelClock   func()
}

// end releases everything that the client used; a robot that it drives stops.
func (c *client) end() {
	c.server.cfg.Arbiter.Leave(c.driver)
	c.wg.Wait()
	c.mu.Lock()
	subscriptions, publications, watch, clock := c.subscriptions, c.publications, c.watch, c.cancelClock
	c.mu.Unlock()
	for _, s := range subscriptions {
		s.close()
	}
	for _, p := range publications {
		p.close()
	}
	if watch != nil {
		watch.cancel()
	}
	if clock != nil {
		clock()
	}
	c.box.Close()
}

// say sends a JSON message.
func (c *client) say(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.box.Answer(outbox.Frame{Head: data, Text: true})
}

// status sends a status message about an error.
func (c *client) status(level int, err error) error {
	return c.say(map[string]any{"op": "status", "level": level, "message": err.Error()})
}

// header is the common part of a client's JSON messages.
type header struct {
	Op string `json:"op"`
}

// handle processes one message. Errors of the client are reported to it and do not end the connection; a full queue
// does.
func (c *client) handle(_ context.Context, text bool, data []byte) error {
	var err error
	if text {
		err = c.handleJSON(data)
	} else {
		err = c.handleBinary(data)
	}
	if err == nil || errors.Is(err, socket.ErrPolicy) || errors.Is(err, outbox.ErrFull) || errors.Is(err, outbox.ErrClosed) {
		return err
	}
	return c.status(statusError, err)
}

// operations are the handlers of the clients' JSON messages.
func (c *client) operations() map[string]func([]byte) error {
	return map[string]func([]byte) error{
		"subscribe": c.subscribe, "unsubscribe": c.unsubscribe,
		"advertise": c.advertise, "unadvertise": c.unadvertise,
		"getParameters": c.getParameters, "setParameters": c.setParameters,
		"subscribeParameterUpdates": c.subscribeParameters, "unsubscribeParameterUpdates": c.unsubscribeParameters,
		"subscribeConnectionGraph": c.subscribeGraph, "unsubscribeConnectionGraph": c.unsubscribeGraph,
		"fetchAsset":  c.fetchAsset,
		"takeControl": c.takeControl, "releaseControl": c.releaseControl, "drive": c.drive,
		"acknowledge": c.acknowledge, "offer": c.offer, "describe": c.describe,
	}
}

func (c *client) handleJSON(data []byte) error {
	var h header
	if err := read(data, &h); err != nil {
		return err
	}
	f := c.operations()[h.Op]
	if f == nil {
		return fmt.Errorf("%w: op %.40q", ErrMessage, h.Op)
	}
	return f(data)
}

func (c *client) handleBinary(data []byte) error {
	m, err := parseBinary(data)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case *clientMessage:
		return c.publish(m)
	case *serviceRequest:
		return c.callService(m)
	case *playbackRequest:
		return c.controlPlayback(m)
	}
	return nil
}

// read reads the JSON of a message. Each of the required fields must be in it.
func read(data []byte, into any, required ...string) error {
	var kind *json.UnmarshalTypeError
	switch err := json.Unmarshal(data, into); {
	case errors.As(err, &kind):
		field := kind.Field
		if field == "" {
			field = "the message"
		}
		return fmt.Errorf("%w: %s is a JSON %s, want %s", ErrMessage, field, kind.Value, kindOf(kind.Type))
	case err != nil:
		return fmt.Errorf("%w: %w", ErrMessage, err)
	case len(required) == 0:
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("%w: %w", ErrMessage, err)
	}
	for _, name := range required {
		if f := fields[name]; f == nil || string(f) == "null" {
			return fmt.Errorf("%w: the field %s is missing", ErrMessage, name)
		}
	}
	return nil
}

// kindOf names what JSON must have for a type of Go.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Uint32:
		return "a whole number from 0 to 4294967295"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// later runs f on a goroutine of its own, unless too many run already. f's context ends with the client. A response
// of f that does not fit the queue ends the connection, as on the reading goroutine.
func (c *client) later(f func(ctx context.Context) error) error {
	select {
	case c.calls <- struct{}{}:
	default:
		return fmt.Errorf("%w: more than %d calls at once", ErrMessage, maxCalls)
	}
	c.wg.Go("web call", func() {
		defer func() { <-c.calls }()
		if errors.Is(f(c.ctx), outbox.ErrFull) {
			c.box.Close()
		}
	})
	return nil
}

// mayDrive refuses clients without the right to drive.
func (c *client) mayDrive() error {
	if c.role < guard.Drive {
		return ErrRights
	}
	return nil
}
