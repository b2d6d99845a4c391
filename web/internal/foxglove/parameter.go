// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/parameters"
)

// parameterTime is the time-out of a node's parameter services.
const parameterTime = 5 * time.Second

// eventsTopic is the topic on which nodes publish parameter changes.
const eventsTopic = "/parameter_events"

// parameter is a parameter in the protocol's terms: /node.name.
type parameter struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value,omitempty"`
	Type  string          `json:"type,omitempty"`
}

// splitName returns the node and the parameter of "/ns/node.a.b". Names of nodes have no dots.
func splitName(name string) (node, param string, err error) {
	node, param, ok := strings.Cut(name, ".")
	if !ok || node == "" || param == "" {
		return "", "", fmt.Errorf("%w: parameter %.80q: want /node.name", ErrMessage, name)
	}
	return node, param, nil
}

// maxNodes bounds the nodes named in one message: each is queried on its own goroutine.
const maxNodes = 256

// byNode groups parameters by their node.
func byNode(names []string) (map[string][]string, error) {
	groups := map[string][]string{}
	for _, name := range names {
		node, param, err := splitName(name)
		if err != nil {
			return nil, err
		}
		groups[node] = append(groups[node], param)
		if len(groups) > maxNodes {
			return nil, fmt.Errorf("%w: parameters of more than %d nodes", ErrMessage, maxNodes)
		}
	}
	return groups, nil
}

// wireParameter is a node's parameter in the protocol's form; a value that is not set is omitted.
func wireParameter(node string, p *parameters.Parameter) (parameter, error) {
	out := parameter{Name: node + "." + p.Name}
	tree, hint := parameters.Tree(&p.Value)
	if p.Value.Type == rcl_interfaces.ParameterTypeNotSet {
		return out, nil
	}
	data, err := json.Marshal(tree)
	out.Value, out.Type = data, hint
	return out, err
}

func (c *client) getParameters(data []byte) error {
	var m struct {
		Names []string `json:"parameterNames"`
		ID    string   `json:"id"`
	}
	if err := read(data, &m); err != nil {
		return err
	}
	groups, err := byNode(m.Names)
	if err != nil {
		return err
	}
	if len(m.Names) == 0 {
		g := c.hub.Graph()
		for _, node := range parameters.Nodes(&g) {
			groups[node] = nil
		}
	}
	return c.later(func(ctx context.Context) error {
		list, err := c.fetch(ctx, groups)
		return errors.Join(err, c.sayParameters(list, m.ID))
	})
}

// fetch queries all nodes concurrently; nil names are all. A node that does not answer results in a warning. The
// error is of the client's queue.
func (c *client) fetch(ctx context.Context, groups map[string][]string) (all []parameter, _ error) {
	ctx, cancel := context.WithTimeout(ctx, parameterTime)
	defer cancel()
	var mu sync.Mutex
	var wg task.Group
	all = []parameter{}
	var failed error
	for node, names := range groups {
		wg.Go("web parameters", func() {
			var got []parameters.Parameter
			var err error
			if names == nil {
				got, err = parameters.All(ctx, c.hub, node)
			} else {
				got, err = parameters.Get(ctx, c.hub, node, names)
			}
			if err != nil {
				err = c.status(statusWarning, fmt.Errorf("parameters of %s: %w", node, err))
			}
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			for i := range got {
				if p, err := wireParameter(node, &got[i]); err == nil {
					all = append(all, p)
				}
			}
		})
	}
	wg.Wait()
	slices.SortFunc(all, func(a, b parameter) int { return strings.Compare(a.Name, b.Name) })
	return all, failed
}

func (c *client) sayParameters(list []parameter, id string) error {
	m := map[string]any{"op": "parameterValues", "parameters": list}
	if id != "" {
		m["id"] = id
	}
	return c.say(m)
}

func (c *client) setParameters(data []byte) error {
	var m struct {
		Parameters []parameter `json:"parameters"`
		ID         string      `json:"id"`
	}
	if err := read(data, &m, "parameters"); err != nil {
		return err
	}
	if err := c.mayDrive(); err != nil {
		return err
	}
	names := make([]string, len(m.Parameters))
	for i := range m.Parameters {
		names[i] = m.Parameters[i].Name
	}
	groups, err := byNode(names)
	if err != nil {
		return err
	}
	return c.later(func(ctx context.Context) error {
		for _, p := range m.Parameters {
			if err := c.setOne(ctx, p); err != nil {
				if err := c.status(statusError, err); err != nil {
					return err
				}
			}
		}
		if m.ID == "" {
			return nil
		}
		list, err := c.fetch(ctx, groups)
		return errors.Join(err, c.sayParameters(list, m.ID))
	})
}

// setOne sets a parameter to a value, converted to the parameter's current type.
func (c *client) setOne(ctx context.Context, p parameter) error {
	ctx, cancel := context.WithTimeout(ctx, parameterTime)
	defer cancel()
	node, name, err := splitName(p.Name)
	if err != nil {
		return err
	}
	now, err := parameters.Get(ctx, c.hub, node, []string{name})
	if err != nil {
		return err
	}
	set := parameters.Parameter{Name: name}
	if len(p.Value) > 0 && string(p.Value) != "null" { // no value: delete
		if set.Value, err = parameters.FromJSON(p.Value, p.Type, now[0].Value.Type); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return parameters.Set(ctx, c.hub, node, set)
}

// parameterWatch is the client's subscription to parameter changes.
type parameterWatch struct {
	all    bool
	names  []string
	cancel func()
}

func (c *client) subscribeParameters(data []byte) error {
	var m struct {
		Names []string `json:"parameterNames"`
	}
	if err := read(data, &m); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watch == nil {
		cancel, err := c.hub.Subscribe(eventsTopic, "rcl_interfaces/msg/ParameterEvent", c.parametersChanged)
		if err != nil {
			return err
		}
		c.watch = &parameterWatch{cancel: cancel}
	}
	c.watch.all = c.watch.all || len(m.Names) == 0
	if len(c.watch.names)+len(m.Names) <= maxSubscriptions {
		c.watch.names = append(c.watch.names, m.Names...)
	}
	return nil
}

func (c *client) unsubscribeParameters(data []byte) error {
	var m struct {
		Names []string `json:"parameterNames"`
	}
	if err := read(data, &m); err != nil {
		return err
	}
	c.mu.Lock()
	w := c.watch
	if w == nil {
		c.mu.Unlock()
		return nil
	}
	w.names = slices.DeleteFunc(w.names, func(n string) bool { return len(m.Names) == 0 || slices.Contains(m.Names, n) })
	if len(m.Names) == 0 {
		w.all = false
	}
	if w.all || len(w.names) > 0 {
		c.mu.Unlock()
		return nil
	}
	c.watch = nil
	c.mu.Unlock()
	w.cancel()
	return nil
}

// maxEvents bounds the parameter changes queued for a client's goroutine; further ones are dropped.
const maxEvents = 64

// parametersChanged queues an event for the client's goroutine. It runs on a goroutine of the network, with locks of
// the hub held.
func (c *client) parametersChanged(m *hub.Message) {
	select {
	case c.events <- m.Data:
	default:
	}
}

// sendParameters sends those parameters of an event that the client has subscribed to.
func (c *client) sendParameters(data []byte) error {
	var event rcl_interfaces.ParameterEvent
	if cdr.Unmarshal(data, &event) != nil {
		return nil //nolint:nilerr // not the client's fault
	}
	changed := slices.Concat(event.NewParameters, event.ChangedParameters)
	for _, gone := range event.DeletedParameters {
		changed = append(changed, rcl_interfaces.Parameter{Name: gone.Name})
	}
	var list []parameter
	c.mu.Lock()
	w := c.watch
	for i := range changed {
		p, err := wireParameter(event.Node, &parameters.Parameter{Name: changed[i].Name, Value: changed[i].Value})
		if err == nil && w != nil && (w.all || slices.Contains(w.names, p.Name)) {
			list = append(list, p)
		}
	}
	c.mu.Unlock()
	if len(list) == 0 {
		return nil
	}
	return c.sayParameters(list, "")
}
