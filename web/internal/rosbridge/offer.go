// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
)

// maxServices is how many services a client may offer.
const maxServices = 50

// offered is a service that a client offers to other nodes.
type offered struct {
	name, rosType     string
	request, response *dynamic.Type
	box               *outbox.Box
	withdraw          func() error

	mu      sync.Mutex
	last    int
	waiting map[string]*asked // unanswered requests by the id sent to the client
}

// asked is a request of another node.
type asked struct {
	respond func([]byte) error
	timer   *time.Timer
}

// advertiseService offers a service; one that was offered already is replaced.
func (c *client) advertiseService(r *request) error {
	if c.role < guard.Drive {
		return ErrRights
	}
	name := fullName(r.Service)
	if len(c.offers) >= maxServices && c.offers[name] == nil {
		return fmt.Errorf("%w: more than %d services", ErrMessage, maxServices)
	}
	if err := c.withdrawService(name); err != nil {
		return err
	}
	o := &offered{name: name, rosType: dynamic.FullName(r.Type, "srv"), box: c.box, waiting: map[string]*asked{}}
	var err error
	if o.request, err = c.hub.Known(o.rosType + "_Request"); err != nil {
		return err
	}
	if o.response, err = c.hub.Known(o.rosType + "_Response"); err != nil {
		return err
	}
	if o.withdraw, err = c.hub.Offer(name, o.rosType, o.ask); err != nil {
		return err
	}
	c.offers[name] = o
	return nil
}

// unadvertiseService withdraws a service.
func (c *client) unadvertiseService(r *request) error {
	if c.offers[fullName(r.Service)] == nil {
		return fmt.Errorf("%w: unadvertise_service: this client does not offer service %.200q", errWarning, r.Service)
	}
	return c.withdrawService(fullName(r.Service))
}

// withdrawService withdraws a service, if it is offered; pending requests get no response.
func (c *client) withdrawService(name string) error {
	o := c.offers[name]
	if o == nil {
		return nil
	}
	delete(c.offers, o.name)
	return o.close()
}

func (o *offered) close() error {
	err := o.withdraw()
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, a := range o.waiting {
		a.timer.Stop()
		delete(o.waiting, id)
	}
	return err
}

// ask sends a request to the client. If the queue is full or the client does not respond in time, there is no
// response: ROS has no error response.
func (o *offered) ask(q ros2.Request) {
	m, err := dynamic.Decode(o.request, q.Payload)
	if err != nil {
		return
	}
	o.mu.Lock()
	if len(o.waiting) >= maxCalls {
		o.mu.Unlock()
		return
	}
	o.last++
	id := fmt.Sprintf("service_request:%s:%d", o.name, o.last)
	o.waiting[id] = &asked{q.Respond, task.AfterFunc(callTime, "rosbridge request", func() { o.forget(id) })}
	o.mu.Unlock()
	call, err := json.Marshal(map[string]any{
		"op": "call_service", "id": id, "service": o.name, "type": o.rosType, "args": json.RawMessage(rosjson.Append(nil, m)),
	})
	if err != nil || o.box.Answer(outbox.Frame{Head: call, Text: true}) != nil { // the client has left or does not read
		o.forget(id)
	}
}

// forget removes and returns a pending request, once.
func (o *offered) forget(id string) *asked {
	o.mu.Lock()
	defer o.mu.Unlock()
	a := o.waiting[id]
	if a != nil {
		a.timer.Stop()
		delete(o.waiting, id)
	}
	return a
}

// respondService passes a client's response to the node that called.
func (c *client) respondService(r *request) error {
	o := c.offers[fullName(r.Service)]
	if o == nil {
		return fmt.Errorf("%w: service %.80q is not offered", ErrMessage, r.Service)
	}
	a := o.forget(r.ID.key)
	if a == nil {
		return fmt.Errorf("%w: no request %.80q waits for an answer", ErrMessage, r.ID.key)
	}
	if r.Result != nil && !*r.Result {
		return nil // it failed, and ROS has no error response
	}
	m, err := arguments(o.response, r.Values)
	if err != nil {
		return err
	}
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return err
	}
	return a.respond(payload)
}
