// SPDX-License-Identifier: Apache-2.0

// Package parameters reads and sets the parameters of any node of a network, through the services that every ROS 2 node
// has.
package parameters

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// ErrRefused is matched when a node refuses a value; the error has the node's reason.
var ErrRefused = errors.New("parameters: refused")

// Parameter is a name with its value.
type Parameter struct {
	Name  string
	Value rcl_interfaces.ParameterValue
}

// call calls a parameter service of a node.
func call(ctx context.Context, h *hub.Hub, node, service, rosType string, request cdr.Marshaler, response cdr.Unmarshaler) error {
	payload, err := cdr.Marshal(nil, request)
	if err != nil {
		return err
	}
	reply, err := h.Call(ctx, node+"/"+service, "rcl_interfaces/srv/"+rosType, payload)
	if err != nil {
		return err
	}
	return cdr.Unmarshal(reply, response)
}

// Names lists the names of a node's parameters.
func Names(ctx context.Context, h *hub.Hub, node string) ([]string, error) {
	var r rcl_interfaces.ListParametersResponse
	err := call(ctx, h, node, "list_parameters", "ListParameters", &rcl_interfaces.ListParametersRequest{}, &r)
	return r.Result.Names, err
}

// Get returns parameters of a node. If it does not have one of them, all may be of the type not set, as in rclcpp.
func Get(ctx context.Context, h *hub.Hub, node string, names []string) ([]Parameter, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var r rcl_interfaces.GetParametersResponse
	if err := call(ctx, h, node, "get_parameters", "GetParameters", &rcl_interfaces.GetParametersRequest{Names: names}, &r); err != nil {
		return nil, err
	}
	out := make([]Parameter, 0, len(names))
	for i, name := range names {
		p := Parameter{Name: name}
		if i < len(r.Values) { // a node that does not have all of them may answer with none
			p.Value = r.Values[i]
		}
		out = append(out, p)
	}
	return out, nil
}

// All returns all parameters of a node.
func All(ctx context.Context, h *hub.Hub, node string) ([]Parameter, error) {
	names, err := Names(ctx, h, node)
	if err != nil {
		return nil, err
	}
	return Get(ctx, h, node, names)
}

// Set sets one parameter. An error matches [ErrRefused] if the node refuses.
func Set(ctx context.Context, h *hub.Hub, node string, p Parameter) error {
	request := rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{{Name: p.Name, Value: p.Value}}}
	var r rcl_interfaces.SetParametersResponse
	if err := call(ctx, h, node, "set_parameters", "SetParameters", &request, &r); err != nil {
		return err
	}
	if len(r.Results) != 1 {
		return fmt.Errorf("%w: %s answers with %d results", ErrRefused, node, len(r.Results))
	}
	if !r.Results[0].Successful {
		return fmt.Errorf("%w: %s.%s: %s", ErrRefused, node, p.Name, r.Results[0].Reason)
	}
	return nil
}

// Nodes lists the nodes of a graph that have parameter services.
func Nodes(g *hub.Graph) []string {
	const suffix = "/list_parameters"
	var nodes []string
	for _, s := range g.Services {
		if s.Type == "rcl_interfaces/srv/ListParameters" && len(s.Name) > len(suffix) {
			nodes = append(nodes, s.Name[:len(s.Name)-len(suffix)])
		}
	}
	return nodes
}
