// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Setting is a parameter of the driver: a float64, a []float64 or a string.
type Setting struct {
	Name  string
	Value any
}

// The kinds of values in rcl_interfaces/msg/ParameterType.
const (
	kindDouble  = 3
	kindString  = 4
	kindDoubles = 8
)

// get reads parameters of the driver by name; those that it does not have, or that have another type, are missing
// from the result.
func (r *Robot) get(ctx context.Context, names ...string) (map[string]any, error) {
	c, err := ros2.NewClient[rcl_interfaces.GetParametersRequest, rcl_interfaces.GetParametersResponse](r.node, rcl_interfaces.GetParameters{}, r.driver+"/get_parameters")
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(ctx, serviceTimeout)
	defer cancel()
	if err := c.WaitAvailable(ctx); err != nil {
		return nil, fmt.Errorf("%w: service %s is not available: is the driver running?", ErrSilent, c.Name())
	}
	out := map[string]any{}
	for _, name := range names { // one by one: a node that lacks one of several returns none
		res, err := c.Call(ctx, &rcl_interfaces.GetParametersRequest{Names: []string{name}})
		if err != nil {
			return nil, fmt.Errorf("%w: service %s: %w", ErrSilent, c.Name(), err)
		}
		if len(res.Values) != 1 {
			continue
		}
		switch v := res.Values[0]; v.Type {
		case kindDouble:
			out[name] = v.DoubleValue
		case kindString:
			out[name] = v.StringValue
		case kindDoubles:
			out[name] = v.DoubleArrayValue
		}
	}
	return out, nil
}

// Set changes parameters of the running driver, all or none. The error matches [ErrSilent] if the driver does not
// answer, and has the driver's reason if it rejects a value.
func (r *Robot) Set(ctx context.Context, settings []Setting) error {
	c, err := ros2.NewClient[rcl_interfaces.SetParametersAtomicallyRequest, rcl_interfaces.SetParametersAtomicallyResponse](
		r.node, rcl_interfaces.SetParametersAtomically{}, r.driver+"/set_parameters_atomically")
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(ctx, serviceTimeout)
	defer cancel()
	if err := c.WaitAvailable(ctx); err != nil {
		return fmt.Errorf("%w: service %s is not available", ErrSilent, c.Name())
	}
	req := &rcl_interfaces.SetParametersAtomicallyRequest{}
	for _, s := range settings {
		p := rcl_interfaces.Parameter{Name: s.Name}
		switch v := s.Value.(type) {
		case float64:
			p.Value.Type, p.Value.DoubleValue = kindDouble, v
		case string:
			p.Value.Type, p.Value.StringValue = kindString, v
		case []float64:
			p.Value.Type, p.Value.DoubleArrayValue = kindDoubles, v
		default:
			return fmt.Errorf("calibrate: parameter %q holds a %T", s.Name, v)
		}
		req.Parameters = append(req.Parameters, p)
	}
	res, err := c.Call(ctx, req)
	if err != nil {
		return fmt.Errorf("%w: service %s: %w", ErrSilent, c.Name(), err)
	}
	if !res.Result.Successful {
		return fmt.Errorf("%w: %s", errRefused, res.Result.Reason)
	}
	return nil
}

// geometry returns the driver's wheel geometry.
func (r *Robot) geometry(ctx context.Context) (wheels.Geometry, error) {
	v, err := r.get(ctx, "wheel_radius", "wheel_radius_ratio", "wheel_distance")
	if err != nil {
		return wheels.Geometry{}, err
	}
	radius, ok := v["wheel_radius"].(float64)
	distance, ok2 := v["wheel_distance"].(float64)
	ratio, ok3 := v["wheel_radius_ratio"].(float64)
	if !ok || !ok2 || !ok3 {
		return wheels.Geometry{}, fmt.Errorf("%w: node %s has no wheel_radius, wheel_radius_ratio and wheel_distance", errRefused, r.driver)
	}
	return wheels.FromRatio(radius, ratio, distance), nil
}
