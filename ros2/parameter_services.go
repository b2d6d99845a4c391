// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

// parameterServices implements the parameter services as rclcpp does: a request for several parameters of which one is
// not declared has an empty response.
type parameterServices struct{ params *Parameters }

// offerParameters creates the six services, under the node's name.
func (n *Node) offerParameters() error {
	s := parameterServices{n.params}
	_, err1 := NewService(n, rcl_interfaces.GetParameters{}, "~/get_parameters", s.get)
	_, err2 := NewService(n, rcl_interfaces.GetParameterTypes{}, "~/get_parameter_types", s.types)
	_, err3 := NewService(n, rcl_interfaces.SetParameters{}, "~/set_parameters", s.set)
	_, err4 := NewService(n, rcl_interfaces.SetParametersAtomically{}, "~/set_parameters_atomically", s.setAtomically)
	_, err5 := NewService(n, rcl_interfaces.DescribeParameters{}, "~/describe_parameters", s.describe)
	_, err6 := NewService(n, rcl_interfaces.ListParameters{}, "~/list_parameters", s.list)
	return errors.Join(err1, err2, err3, err4, err5, err6)
}

func (s parameterServices) get(_ context.Context, r *rcl_interfaces.GetParametersRequest) (*rcl_interfaces.GetParametersResponse, error) {
	var out rcl_interfaces.GetParametersResponse
	for _, name := range r.Names {
		v, err := s.params.Get(name)
		if err != nil {
			return new(rcl_interfaces.GetParametersResponse), nil //nolint:nilerr // as in rclcpp: one bad name, no value
		}
		out.Values = append(out.Values, v.toMessage())
	}
	return &out, nil
}

func (s parameterServices) types(_ context.Context, r *rcl_interfaces.GetParameterTypesRequest) (*rcl_interfaces.GetParameterTypesResponse, error) {
	var out rcl_interfaces.GetParameterTypesResponse
	for _, name := range r.Names {
		v, err := s.params.Get(name)
		if err != nil {
			return new(rcl_interfaces.GetParameterTypesResponse), nil //nolint:nilerr // as in rclcpp: one bad name, no value
		}
		out.Types = append(out.Types, uint8(v.Type()))
	}
	return &out, nil
}

func (s parameterServices) describe(_ context.Context, r *rcl_interfaces.DescribeParametersRequest) (*rcl_interfaces.DescribeParametersResponse, error) {
	var out rcl_interfaces.DescribeParametersResponse
	for _, name := range r.Names {
		d, err := s.params.Describe(name)
		if err != nil {
			return new(rcl_interfaces.DescribeParametersResponse), nil //nolint:nilerr // as in rclcpp: one bad name, no value
		}
		out.Descriptors = append(out.Descriptors, d.toMessage())
	}
	return &out, nil
}

func (s parameterServices) list(_ context.Context, r *rcl_interfaces.ListParametersRequest) (*rcl_interfaces.ListParametersResponse, error) {
	names, prefixes := s.params.List(r.Prefixes, int(min(r.Depth, math.MaxInt32)))
	return &rcl_interfaces.ListParametersResponse{Result: rcl_interfaces.ListParametersResult{Names: names, Prefixes: prefixes}}, nil
}

func (s parameterServices) set(_ context.Context, r *rcl_interfaces.SetParametersRequest) (*rcl_interfaces.SetParametersResponse, error) {
	var out rcl_interfaces.SetParametersResponse
	for i := range r.Parameters {
		out.Results = append(out.Results, s.apply(r.Parameters[i:i+1]))
	}
	return &out, nil
}

func (s parameterServices) setAtomically(_ context.Context, r *rcl_interfaces.SetParametersAtomicallyRequest) (*rcl_interfaces.SetParametersAtomicallyResponse, error) {
	return &rcl_interfaces.SetParametersAtomicallyResponse{Result: s.apply(r.Parameters)}, nil
}

// apply sets all of the parameters or none, and returns the result with the reason.
func (s parameterServices) apply(ms []rcl_interfaces.Parameter) rcl_interfaces.SetParametersResult {
	ps := make([]Parameter, len(ms))
	for i := range ms {
		v, err := valueFromMessage(&ms[i].Value)
		if err != nil {
			return rcl_interfaces.SetParametersResult{Reason: err.Error()}
		}
		ps[i] = Parameter{ms[i].Name, v}
	}
	if err := s.params.SetAtomically(ps...); err != nil {
		return rcl_interfaces.SetParametersResult{Reason: err.Error()}
	}
	return rcl_interfaces.SetParametersResult{Successful: true}
}

// parameterEventsTopic is the topic of all nodes' parameter changes.
const parameterEventsTopic = "/parameter_events"

// publishParameterEvents publishes the changes of the node's parameters.
func (n *Node) publishParameterEvents() error {
	pub, err := NewPublisher[rcl_interfaces.ParameterEvent](n, parameterEventsTopic, ParameterEventsQoS())
	if err != nil {
		return err
	}
	n.params.OnChange(func(e ParameterEvent) {
		if !pub.HasSubscribers() {
			return
		}
		// A failure to publish is no reason to reject the change.
		_ = pub.Publish(&rcl_interfaces.ParameterEvent{
			Stamp: builtin_interfaces.TimeOf(n.Now()), Node: n.FullName(),
			NewParameters: toMessages(e.New), ChangedParameters: toMessages(e.Changed), DeletedParameters: toMessages(e.Deleted),
		})
	})
	return nil
}
