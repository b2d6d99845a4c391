// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// Server serves clients. It is safe for concurrent use and owns nothing.
type Server struct {
	hub     *hub.Hub
	arbiter *teleop.Arbiter
	queue   int
}

// New returns a server; queue bounds the data queued for a client, in bytes, 0 is [outbox.Limit].
func New(h *hub.Hub, who *teleop.Arbiter, queue int) *Server {
	return &Server{hub: h, arbiter: who, queue: queue}
}

// client is one connection. Everything but later runs on its reading goroutine.
type client struct {
	hub           *hub.Hub
	arbiter       *teleop.Arbiter
	role          guard.Role
	box           *outbox.Box
	driver        *teleop.Driver
	ctx           context.Context
	group         task.Group
	calls         chan struct{} // holds a token for each running call
	publications  map[string]*publication
	subscriptions map[string]*subscription
	offers        map[string]*offered // services, by name
}

// Serve serves one client with the rights of role until it disconnects, violates the protocol or ctx ends. who is the
// client's name as a driver.
func (s *Server) Serve(ctx context.Context, conn *socket.Conn, role guard.Role, who string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &client{
		hub: s.hub, arbiter: s.arbiter, role: role, box: outbox.New(s.queue), driver: &teleop.Driver{Name: who}, ctx: ctx,
		calls: make(chan struct{}, maxCalls), publications: map[string]*publication{}, subscriptions: map[string]*subscription{},
		offers: map[string]*offered{},
	}
	defer c.end()
	defer cancel() // before end waits
	return socket.Serve(ctx, conn, c.box, c.handle)
}

func (c *client) end() {
	c.arbiter.Leave(c.driver)
	c.group.Wait()
	for _, s := range c.subscriptions {
		s.close()
	}
	for _, p := range c.publications {
		p.close()
	}
	for _, o := range c.offers {
		_ = o.close() // fails when the transport has ended, which withdraws it
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

// request is the union of all messages of clients.
type request struct {
	Op          string          `json:"op"`
	ID          string          `json:"id"`
	Topic       string          `json:"topic"`
	Type        string          `json:"type"`
	Message     json.RawMessage `json:"msg"`
	Throttle    float64         `json:"throttle_rate"` // ms
	Queue       int             `json:"queue_length"`
	Compression string          `json:"compression"`
	Service     string          `json:"service"`
	Arguments   json.RawMessage `json:"args"`
	Values      json.RawMessage `json:"values"`
	Result      *bool           `json:"result"`
}

// handle processes one message. Errors of the client are reported to it in a status and do not end the connection.
func (c *client) handle(_ context.Context, text bool, data []byte) error {
	var r request
	err := c.act(text, data, &r)
	if err == nil || errors.Is(err, socket.ErrPolicy) || errors.Is(err, outbox.ErrFull) || errors.Is(err, outbox.ErrClosed) {
		return err
	}
	return c.say(map[string]any{"op": "status", "level": "error", "msg": err.Error(), "id": r.ID})
}

func (c *client) act(text bool, data []byte, r *request) error {
	if !text {
		return fmt.Errorf("%w: binary", ErrMessage)
	}
	if err := json.Unmarshal(data, r); err != nil {
		return fmt.Errorf("%w: %w", ErrMessage, err)
	}
	switch r.Op {
	case "advertise":
		_, err := c.advertise(r.Topic, r.Type)
		return err
	case "unadvertise":
		c.unadvertise(r.Topic)
		return nil
	case "publish":
		return c.publish(r)
	case "subscribe":
		return c.subscribe(r)
	case "unsubscribe":
		c.unsubscribe(r)
		return nil
	case "call_service":
		return c.callService(*r)
	case "advertise_service":
		return c.advertiseService(r)
	case "unadvertise_service":
		return c.unadvertiseService(r.Service)
	case "service_response":
		return c.respondService(r)
	case "set_level", "auth", "status":
		return nil
	}
	return fmt.Errorf("%w: op %.40q", ErrMessage, r.Op)
}
