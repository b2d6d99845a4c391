// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Settings are what a node's parameters say of its server.
type Settings struct {
	// Address is host:port, empty for no server.
	Address string
	// TLS asks for a certificate.
	TLS bool
	// Hosts and Origins are as in [Config].
	Hosts, Origins []string
}

// Declare declares the parameters of a server on the node that it shall run beside, and returns what they say. They can
// not change at run time.
func Declare(n *ros2.Node) (Settings, error) {
	var s Settings
	var errs []error
	for _, p := range []struct {
		ros2.ParameterDescriptor
		take func(ros2.ParameterValue)
	}{
		{ros2.ParameterDescriptor{
			Name: "web.address", Default: ros2.StringValue(""), ReadOnly: true,
			Description: "Where the page for browsers, Foxglove and rosbridge is served, host:port as in 0.0.0.0:8765; empty: nowhere.",
		}, func(v ros2.ParameterValue) { s.Address = v.Str() }},
		{ros2.ParameterDescriptor{
			Name: "web.tls", Default: ros2.BoolValue(false), ReadOnly: true,
			Description: "Serve it encrypted, with the certificate in ROS_HOME, which is made if there is none.",
		}, func(v ros2.ParameterValue) { s.TLS = v.Bool() }},
		{ros2.ParameterDescriptor{
			Name: "web.hosts", Default: ros2.StringArrayValue(nil), ReadOnly: true,
			Description: "Further names of this machine that browsers may use.",
		}, func(v ros2.ParameterValue) { s.Hosts = v.StringArray() }},
		{ros2.ParameterDescriptor{
			Name: "web.origins", Default: ros2.StringArrayValue(nil), ReadOnly: true,
			Description: "Sites whose pages may connect without a token, as in https://app.foxglove.dev.",
		}, func(v ros2.ParameterValue) { s.Origins = v.StringArray() }},
	} {
		v, err := n.DeclareParameter(p.ParameterDescriptor)
		errs = append(errs, err)
		if err == nil {
			p.take(v)
		}
	}
	return s, errors.Join(errs...)
}
