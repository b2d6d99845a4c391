// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

// toMessage converts the value to a message.
func (p ParameterValue) toMessage() rcl_interfaces.ParameterValue {
	m := rcl_interfaces.ParameterValue{
		Type: uint8(p.kind), BoolValue: p.Bool(), IntegerValue: p.Integer(), DoubleValue: p.Double(), StringValue: p.str,
	}
	switch l := p.list.(type) {
	case []byte:
		m.ByteArrayValue = l
	case []bool:
		m.BoolArrayValue = l
	case []int64:
		m.IntegerArrayValue = l
	case []float64:
		m.DoubleArrayValue = l
	case []string:
		m.StringArrayValue = l
	}
	return m
}

// valueFromMessage is the inverse of toMessage.
func valueFromMessage(m *rcl_interfaces.ParameterValue) (ParameterValue, error) {
	switch ParameterType(m.Type) {
	case ParameterNotSet:
		return ParameterValue{}, nil
	case ParameterBool:
		return BoolValue(m.BoolValue), nil
	case ParameterInteger:
		return IntegerValue(m.IntegerValue), nil
	case ParameterDouble:
		return DoubleValue(m.DoubleValue), nil
	case ParameterString:
		return StringValue(m.StringValue), nil
	case ParameterByteArray:
		return ByteArrayValue(m.ByteArrayValue), nil
	case ParameterBoolArray:
		return BoolArrayValue(m.BoolArrayValue), nil
	case ParameterIntegerArray:
		return IntegerArrayValue(m.IntegerArrayValue), nil
	case ParameterDoubleArray:
		return DoubleArrayValue(m.DoubleArrayValue), nil
	case ParameterStringArray:
		return StringArrayValue(m.StringArrayValue), nil
	}
	return ParameterValue{}, fmt.Errorf("%w: unknown type %d", ErrParameterType, m.Type)
}

// toMessages converts parameters to messages.
func toMessages(ps []Parameter) []rcl_interfaces.Parameter {
	out := make([]rcl_interfaces.Parameter, len(ps))
	for i, p := range ps {
		out[i] = rcl_interfaces.Parameter{Name: p.Name, Value: p.Value.toMessage()}
	}
	return out
}

// toMessage converts the declaration to the message of the service describe_parameters.
func (d *ParameterDescriptor) toMessage() rcl_interfaces.ParameterDescriptor {
	m := rcl_interfaces.ParameterDescriptor{
		Name: d.Name, Type: uint8(d.Type), Description: d.Description, AdditionalConstraints: d.Constraints,
		ReadOnly: d.ReadOnly, DynamicTyping: d.DynamicTyping,
	}
	if len(d.OneOf) > 0 {
		oneOf := "one of: " + strings.Join(d.OneOf, ", ")
		m.AdditionalConstraints = strings.TrimSpace(m.AdditionalConstraints + "\n" + oneOf)
	}
	if r := d.FloatRange; r != nil {
		m.FloatingPointRange = []rcl_interfaces.FloatingPointRange{{FromValue: r.From, ToValue: r.To, Step: r.Step}}
	}
	if r := d.IntegerRange; r != nil {
		m.IntegerRange = []rcl_interfaces.IntegerRange{{FromValue: r.From, ToValue: r.To, Step: r.Step}}
	}
	return m
}
