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
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
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

// client is one connection. Its reading goroutine uses it; goroutines of calls and goals use what is safe for
// concurrent use: hub, box, role, ctx, calls, goals and reports.
type client struct {
	hub           *hub.Hub
	arbiter       *teleop.Arbiter
	role          guard.Role
	box           *outbox.Box
	driver        *teleop.Driver
	ctx           context.Context
	group         task.Group
	calls         chan struct{} // holds a token for each running call
	reports       reports
	goals         goalBook // sent by the client
	assembly      assembly // of fragments that come
	fragments     numbering
	publications  map[string]*publication
	subscriptions map[string]*subscription   // by topic
	offers        map[string]*offered        // services, by name
	actions       map[string]*offeredActions // actions, by name
}

// Serve serves one client with the rights of role until it disconnects, violates the protocol or ctx ends. who is the
// client's name as a driver.
func (s *Server) Serve(ctx context.Context, conn *socket.Conn, role guard.Role, who string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newClient(ctx, s.hub, s.arbiter, role, outbox.New(s.queue), &teleop.Driver{Name: who})
	defer c.end()
	defer cancel() // before end waits
	conn.OnTooLong = func(err error) error {
		return c.report(levelError, &identifier{}, fmt.Sprintf("%v; send it in fragments (op fragment)", err))
	}
	return socket.Serve(ctx, conn, c.box, c.handle)
}

func newClient(ctx context.Context, h *hub.Hub, who *teleop.Arbiter, role guard.Role, box *outbox.Box, driver *teleop.Driver) *client {
	return &client{
		hub: h, arbiter: who, role: role, box: box, driver: driver, ctx: ctx,
		calls: make(chan struct{}, maxCalls), publications: map[string]*publication{}, subscriptions: map[string]*subscription{},
		offers: map[string]*offered{}, actions: map[string]*offeredActions{},
	}
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
	for _, a := range c.actions {
		_ = a.close()
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
	Op           string          `json:"op"`
	ID           identifier      `json:"id"`
	Topic        string          `json:"topic"`
	Type         string          `json:"type"`
	Message      json.RawMessage `json:"msg"`
	Latch        bool            `json:"latch"`
	Throttle     float64         `json:"throttle_rate"` // ms
	Queue        float64         `json:"queue_length"`
	Compression  string          `json:"compression"`
	FragmentSize float64         `json:"fragment_size"` // bytes
	Service      string          `json:"service"`
	Timeout      *float64        `json:"timeout"` // s
	Arguments    json.RawMessage `json:"args"`
	Values       json.RawMessage `json:"values"`
	Result       *bool           `json:"result"`
	Action       string          `json:"action"`
	ActionType   string          `json:"action_type"`
	Feedback     bool            `json:"feedback"`
	Status       *int8           `json:"status"`
	Level        string          `json:"level"`
	Data         string          `json:"data"` // of a fragment or PNG
	Number       int             `json:"num"`
	Total        int             `json:"total"`
}

// identifier is the id of a request: a text or a number, which responses repeat as it was.
type identifier struct {
	key string // equal for equal identifiers; "" is none
	raw json.RawMessage
}

// UnmarshalJSON reads a text or a number; null is none.
func (i *identifier) UnmarshalJSON(data []byte) error {
	if len(data) > maxID {
		return fmt.Errorf("id: %d bytes, at most %d", len(data), maxID)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		i.key = v
	case float64:
		i.key = string(data)
	default:
		return fmt.Errorf("id: want a text or a number, not %.40s", data)
	}
	i.raw = append(json.RawMessage(nil), data...)
	return nil
}

// add sets the id of a response, if the request has one.
func (i *identifier) add(response map[string]any) map[string]any {
	if i.raw != nil {
		response["id"] = i.raw
	}
	return response
}

// handle processes one message. Errors of the client are reported to it in a status and do not end the connection.
func (c *client) handle(_ context.Context, text bool, data []byte) error {
	return c.process(text, data, true)
}

// process is handle for a message that came as a whole, or was assembled.
func (c *client) process(text bool, data []byte, whole bool) error {
	var r request
	err := c.act(text, data, &r, whole)
	if err == nil || errors.Is(err, socket.ErrPolicy) || errors.Is(err, outbox.ErrFull) || errors.Is(err, outbox.ErrClosed) {
		return err
	}
	level := levelError
	if errors.Is(err, errWarning) {
		level = levelWarning
	}
	return c.report(level, &r.ID, err.Error())
}

func (c *client) act(text bool, data []byte, r *request, whole bool) error {
	if err := json.Unmarshal(rosjson.Strict(data), r); err != nil {
		if !text && !json.Valid(rosjson.Strict(data)) {
			return fmt.Errorf("%w: a binary message must be JSON in UTF-8; BSON and CBOR are not read", ErrMessage)
		}
		return fmt.Errorf("%w: %w", ErrMessage, err)
	}
	if f := c.operations()[r.Op]; f != nil {
		if err := f(r); err != nil {
			return err
		}
		return c.succeeded(r)
	}
	if f := c.assemblies()[r.Op]; f != nil && whole {
		return f(r)
	}
	return fmt.Errorf("%w: op %.40q", ErrMessage, r.Op)
}

// operations are the handlers of the clients' messages.
func (c *client) operations() map[string]func(*request) error {
	ignore := func(*request) error { return nil }
	return map[string]func(*request) error{
		"advertise": c.advertiseTopic, "unadvertise": c.unadvertise, "publish": c.publish,
		"subscribe": c.subscribe, "unsubscribe": c.unsubscribe,
		"call_service": c.callService, "service_response": c.respondService,
		"advertise_service": c.advertiseService, "unadvertise_service": c.unadvertiseService,
		"send_action_goal": c.sendGoal, "cancel_action_goal": c.cancelGoal,
		"advertise_action": c.advertiseAction, "unadvertise_action": c.unadvertiseAction,
		"action_feedback": c.actionFeedback, "action_result": c.actionResult,
		"set_level": c.setLevel, "auth": ignore, "status": ignore,
	}
}

// assemblies are the handlers of messages that are parts of others.
func (c *client) assemblies() map[string]func(*request) error {
	return map[string]func(*request) error{"fragment": c.fragment, "png": c.png}
}
