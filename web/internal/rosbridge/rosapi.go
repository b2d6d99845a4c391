// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/parameters"
)

// query are the arguments of rosapi's services.
type query struct {
	Topic   string `json:"topic"`
	Type    string `json:"type"`
	Service string `json:"service"`
	Node    string `json:"node"`
	Name    string `json:"name"`
	Value   string `json:"value"` // JSON
	Default string `json:"default_value"`
}

// rosapi implements the services of the node rosapi, which does not exist.
func (c *client) rosapi(ctx context.Context, name string, args json.RawMessage) (any, error) {
	var q query
	if len(args) > 0 {
		if err := json.Unmarshal(args, &q); err != nil {
			return nil, fmt.Errorf("%w: rosapi/%s: %w", ErrMessage, name, err)
		}
	}
	if strings.Contains(name, "param") {
		return c.paramQuery(ctx, name, &q)
	}
	g := c.hub.Graph()
	if answer, ok := topicQuery(&g, name, &q); ok {
		return answer, nil
	}
	if answer, ok := nodeQuery(&g, name, &q); ok {
		return answer, nil
	}
	switch name {
	case "get_time":
		sec, nanosec := ros2.Stamp(time.Now())
		return map[string]any{"time": map[string]any{"sec": sec, "nanosec": nanosec}}, nil
	case "get_ros_version":
		return map[string]any{"version": 2, "distro": ""}, nil
	}
	return nil, fmt.Errorf("%w: rosapi/%s", hub.ErrNoService, name)
}

func topicQuery(g *hub.Graph, name string, q *query) (answer any, ok bool) {
	names, types := []string{}, []string{}
	switch name {
	case "topics":
		for _, t := range g.Topics {
			names, types = append(names, t.Name), append(types, t.Type)
		}
		return map[string]any{"topics": names, "types": types}, true
	case "topics_for_type":
		for _, t := range g.Topics {
			if t.Type == hub.FullType(q.Type, "msg") {
				names = append(names, t.Name)
			}
		}
		return map[string]any{"topics": names}, true
	}
	t, _ := g.Topic(fullName(q.Topic))
	switch name {
	case "topic_type":
		return map[string]any{"type": t.Type}, true
	case "publishers":
		return map[string]any{"publishers": list(t.Publishers)}, true
	case "subscribers":
		return map[string]any{"subscribers": list(t.Subscribers)}, true
	}
	return nil, false
}

// list returns a list that is not null in JSON.
func list(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

func nodeQuery(g *hub.Graph, name string, q *query) (answer any, ok bool) {
	names := []string{}
	switch name {
	case "nodes":
		return map[string]any{"nodes": list(g.Nodes)}, true
	case "services":
		for _, s := range g.Services {
			names = append(names, s.Name)
		}
		return map[string]any{"services": names}, true
	case "services_for_type":
		for _, s := range g.Services {
			if s.Type == hub.FullType(q.Type, "srv") {
				names = append(names, s.Name)
			}
		}
		return map[string]any{"services": names}, true
	case "service_type":
		s, _ := g.Service(fullName(q.Service))
		return map[string]any{"type": s.Type}, true
	case "service_node":
		s, _ := g.Service(fullName(q.Service))
		return map[string]any{"node": strings.Join(s.Nodes, " ")}, true
	case "node_details":
		return nodeDetails(g, q.Node), true
	}
	return nil, false
}

func nodeDetails(g *hub.Graph, node string) any {
	publishing, subscribing, services := []string{}, []string{}, []string{}
	for _, t := range g.Topics {
		if slices.Contains(t.Publishers, node) {
			publishing = append(publishing, t.Name)
		}
		if slices.Contains(t.Subscribers, node) {
			subscribing = append(subscribing, t.Name)
		}
	}
	for _, s := range g.Services {
		if slices.Contains(s.Nodes, node) {
			services = append(services, s.Name)
		}
	}
	return map[string]any{"publishing": publishing, "subscribing": subscribing, "services": services}
}

// splitParam returns the node and the parameter of "/node:name".
func splitParam(name string) (node, param string, err error) {
	node, param, ok := strings.Cut(name, ":")
	if !ok || param == "" {
		return "", "", fmt.Errorf("%w: parameter %.80q: want /node:name", ErrMessage, name)
	}
	return fullName(node), param, nil
}

func (c *client) paramQuery(ctx context.Context, name string, q *query) (any, error) {
	if name == "get_param_names" {
		return c.paramNames(ctx)
	}
	node, param, err := splitParam(q.Name)
	if err != nil {
		return nil, err
	}
	now, err := parameters.Get(ctx, c.hub, node, []string{param})
	if err != nil {
		return nil, err
	}
	value := &now[0].Value
	switch name {
	case "has_param":
		return map[string]any{"exists": value.Type != rcl_interfaces.ParameterTypeNotSet}, nil
	case "get_param":
		text := []byte(q.Default)
		if value.Type != rcl_interfaces.ParameterTypeNotSet || q.Default == "" {
			tree, _ := parameters.Tree(value)
			if text, err = json.Marshal(tree); err != nil {
				return nil, err
			}
		}
		return map[string]any{"value": string(text), "successful": true, "reason": ""}, nil
	case "set_param", "delete_param":
		if c.role < guard.Drive {
			return nil, ErrRights
		}
		set := parameters.Parameter{Name: param}
		if name == "set_param" {
			if set.Value, err = parameters.FromJSON([]byte(q.Value), "", value.Type); err != nil {
				return nil, err
			}
		}
		if err := parameters.Set(ctx, c.hub, node, set); err != nil {
			return nil, err
		}
		return map[string]any{"successful": true, "reason": ""}, nil
	}
	return nil, fmt.Errorf("%w: rosapi/%s", hub.ErrNoService, name)
}

// paramNames lists the parameters of all nodes that answer.
func (c *client) paramNames(ctx context.Context) (any, error) {
	g := c.hub.Graph()
	all := []string{}
	for _, node := range parameters.Nodes(&g) {
		names, err := parameters.Names(ctx, c.hub, node)
		if err != nil {
			continue
		}
		for _, n := range names {
			all = append(all, node+":"+n)
		}
	}
	return map[string]any{"names": all}, nil
}
