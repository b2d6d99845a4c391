// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
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
	Action  string `json:"action"`
	Name    string `json:"name"`
	Value   string `json:"value"` // JSON
	Default string `json:"default_value"`
}

// rosapiPrefix begins the names of rosapi's services, rosapiTypes those of their types.
const (
	rosapiPrefix = "/rosapi/"
	rosapiNode   = "/rosapi"
	rosapiTypes  = "rosapi_msgs/srv/"
)

// rosapiService is a service of the node rosapi, which does not exist.
type rosapiService struct {
	name, rosType string
	answer        func(ctx context.Context, q *query) (map[string]any, error)
}

// rosapiServices lists the services of rosapi.
func (c *client) rosapiServices() []rosapiService {
	network := func(f func(g *hub.Graph, q *query) map[string]any) func(context.Context, *query) (map[string]any, error) {
		return func(_ context.Context, q *query) (map[string]any, error) {
			g := c.hub.Graph()
			return f(&g, q), nil
		}
	}
	parameter := func(name string) func(context.Context, *query) (map[string]any, error) {
		return func(ctx context.Context, q *query) (map[string]any, error) { return c.paramQuery(ctx, name, q) }
	}
	return []rosapiService{
		{"action_feedback_details", "ActionFeedbackDetails", c.details("action", "_Feedback")},
		{"action_goal_details", "ActionGoalDetails", c.details("action", "_Goal")},
		{"action_result_details", "ActionResultDetails", c.details("action", "_Result")},
		{"action_servers", "GetActionServers", network(actionServers)},
		{"action_type", "ActionType", network(actionType)},
		{"delete_param", "DeleteParam", parameter("delete_param")},
		{"get_param", "GetParam", parameter("get_param")},
		{"get_param_names", "GetParamNames", func(ctx context.Context, _ *query) (map[string]any, error) { return c.paramNames(ctx) }},
		{"get_ros_version", "GetROSVersion", network(rosVersion)},
		{"get_time", "GetTime", network(currentTime)},
		{"has_param", "HasParam", parameter("has_param")},
		{"interfaces", "Interfaces", network(interfaces)},
		{"message_details", "MessageDetails", c.details("msg", "")},
		{"node_details", "NodeDetails", network(func(g *hub.Graph, q *query) map[string]any { return nodeDetails(g, q.Node) })},
		{"nodes", "Nodes", network(func(g *hub.Graph, _ *query) map[string]any { return map[string]any{"nodes": list(g.Nodes)} })},
		{"publishers", "Publishers", network(publishers)},
		{"service_node", "ServiceNode", network(serviceNode)},
		{"service_providers", "ServiceProviders", network(serviceProviders)},
		{"service_request_details", "ServiceRequestDetails", c.details("srv", "_Request")},
		{"service_response_details", "ServiceResponseDetails", c.details("srv", "_Response")},
		{"service_type", "ServiceType", network(c.serviceType)},
		{"services", "Services", network(c.services)},
		{"services_for_type", "ServicesForType", network(c.servicesForType)},
		{"set_param", "SetParam", parameter("set_param")},
		{"subscribers", "Subscribers", network(subscribers)},
		{"topic_type", "TopicType", network(topicType)},
		{"topics", "Topics", network(topics)},
		{"topics_and_raw_types", "TopicsAndRawTypes", network(c.rawTypes)},
		{"topics_for_type", "TopicsForType", network(topicsForType)},
	}
}

// rosapi calls a service of the node rosapi, which does not exist.
func (c *client) rosapi(ctx context.Context, name string, args json.RawMessage) (any, error) {
	var q query
	if len(args) > 0 && !emptyList(args) {
		if err := json.Unmarshal(args, &q); err != nil {
			return nil, fmt.Errorf("%w: rosapi/%s: %w", ErrMessage, name, err)
		}
	}
	for _, s := range c.rosapiServices() {
		if s.name == name {
			return s.answer(ctx, &q)
		}
	}
	return nil, fmt.Errorf("%w: rosapi/%.80s", hub.ErrNoService, name)
}

// emptyList reports whether arguments are a list without elements.
func emptyList(args json.RawMessage) bool {
	var elements []json.RawMessage
	return json.Unmarshal(args, &elements) == nil && len(elements) == 0
}

func rosVersion(*hub.Graph, *query) map[string]any { return map[string]any{"version": 2, "distro": ""} }

// currentTime has the names of ROS 2 and of ROS 1, which roslibpy reads.
func currentTime(*hub.Graph, *query) map[string]any {
	sec, nanosec := ros2.Stamp(time.Now())
	return map[string]any{"time": map[string]any{"sec": sec, "nanosec": nanosec, "secs": sec, "nsecs": nanosec}}
}

// internalName reports whether a name is one of an action's topics and services, which rosapi hides.
func internalName(name string) bool { return strings.Contains(name, "/_action/") }

func topics(g *hub.Graph, _ *query) map[string]any {
	names, types := []string{}, []string{}
	for _, t := range g.Topics {
		if !internalName(t.Name) {
			names, types = append(names, t.Name), append(types, t.Type)
		}
	}
	return map[string]any{"topics": names, "types": types}
}

func topicsForType(g *hub.Graph, q *query) map[string]any {
	names := []string{}
	for _, t := range g.Topics {
		if t.Type == dynamic.FullName(q.Type, "msg") && !internalName(t.Name) {
			names = append(names, t.Name)
		}
	}
	return map[string]any{"topics": names}
}

func topicType(g *hub.Graph, q *query) map[string]any {
	t, _ := g.Topic(fullName(q.Topic))
	return map[string]any{"type": t.Type}
}

func publishers(g *hub.Graph, q *query) map[string]any {
	t, _ := g.Topic(fullName(q.Topic))
	return map[string]any{"publishers": list(t.Publishers)}
}

func subscribers(g *hub.Graph, q *query) map[string]any {
	t, _ := g.Topic(fullName(q.Topic))
	return map[string]any{"subscribers": list(t.Subscribers)}
}

// list returns a list that is not null in JSON.
func list(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

// services lists the services of the network and those of rosapi, which clients look for.
func (c *client) services(g *hub.Graph, _ *query) map[string]any {
	names := []string{}
	for _, s := range g.Services {
		if !internalName(s.Name) {
			names = append(names, s.Name)
		}
	}
	for _, s := range c.rosapiServices() {
		names = append(names, rosapiPrefix+s.name)
	}
	return map[string]any{"services": names}
}

func (c *client) servicesForType(g *hub.Graph, q *query) map[string]any {
	names, want := []string{}, dynamic.FullName(q.Type, "srv")
	for _, s := range g.Services {
		if s.Type == want && !internalName(s.Name) {
			names = append(names, s.Name)
		}
	}
	for _, s := range c.rosapiServices() {
		if rosapiTypes+s.rosType == want {
			names = append(names, rosapiPrefix+s.name)
		}
	}
	return map[string]any{"services": names}
}

func (c *client) serviceType(g *hub.Graph, q *query) map[string]any {
	name := fullName(q.Service)
	for _, s := range c.rosapiServices() {
		if rosapiPrefix+s.name == name {
			return map[string]any{"type": rosapiTypes + s.rosType}
		}
	}
	s, _ := g.Service(name)
	return map[string]any{"type": s.Type}
}

// serviceNode returns the first node that offers a service.
func serviceNode(g *hub.Graph, q *query) map[string]any {
	name := fullName(q.Service)
	s, ok := g.Service(name)
	switch {
	case ok && len(s.Nodes) > 0:
		return map[string]any{"node": s.Nodes[0]}
	case strings.HasPrefix(name, rosapiPrefix):
		return map[string]any{"node": rosapiNode}
	}
	return map[string]any{"node": ""}
}

// serviceProviders lists the nodes that offer a service of a type, which rosapi names service.
func serviceProviders(g *hub.Graph, q *query) map[string]any {
	nodes, want := []string{}, dynamic.FullName(q.Service, "srv")
	for _, s := range g.Services {
		if s.Type == want {
			nodes = append(nodes, s.Nodes...)
		}
	}
	slices.Sort(nodes)
	return map[string]any{"providers": slices.Compact(nodes)}
}

// actionTypesByName returns the types of the actions that have a server, by name.
func actionTypesByName(g *hub.Graph) map[string]string {
	types := map[string]string{}
	for _, s := range g.Services {
		name, isAction := strings.CutSuffix(s.Name, sendGoalService)
		if rosType, ok := strings.CutSuffix(s.Type, "_SendGoal"); ok && isAction {
			types[name] = rosType
		}
	}
	return types
}

func actionServers(g *hub.Graph, _ *query) map[string]any {
	return map[string]any{"action_servers": list(slices.Sorted(maps.Keys(actionTypesByName(g))))}
}

func actionType(g *hub.Graph, q *query) map[string]any {
	return map[string]any{"type": actionTypesByName(g)[fullName(q.Action)]}
}

// interfaces lists the types that this program defines and those of the network.
func interfaces(g *hub.Graph, _ *query) map[string]any {
	names := []string{}
	for _, name := range msgs.Names() {
		for _, part := range []string{"_Request", "_Response", "_Event", "_Goal", "_Result", "_Feedback", feedbackSuffix} {
			if !strings.Contains(name, "/msg/") {
				name = strings.TrimSuffix(name, part)
			}
		}
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_SendGoal"), "_GetResult")
		names = append(names, name)
	}
	for _, t := range g.Topics {
		if !internalName(t.Name) {
			names = append(names, t.Type)
		}
	}
	for _, s := range g.Services {
		if !internalName(s.Name) {
			names = append(names, s.Type)
		}
	}
	for _, rosType := range actionTypesByName(g) {
		names = append(names, rosType)
	}
	slices.Sort(names)
	return map[string]any{"interfaces": slices.Compact(names)}
}

func nodeDetails(g *hub.Graph, node string) map[string]any {
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

func (c *client) paramQuery(ctx context.Context, name string, q *query) (map[string]any, error) {
	node, param, err := splitParam(q.Name)
	if err != nil {
		return nil, err
	}
	now, err := parameters.Get(ctx, c.hub, node, []string{param})
	if errors.Is(err, hub.ErrNoService) && name == "has_param" {
		return map[string]any{"exists": false}, nil
	}
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
func (c *client) paramNames(ctx context.Context) (map[string]any, error) {
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
