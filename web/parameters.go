// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Names of the parameters.
const (
	paramAddress = "web.address"
	paramTLS     = "web.tls"
	paramHosts   = "web.hosts"
	paramOrigins = "web.origins"
)

// Settings are a node's parameters of its server.
type Settings struct {
	// Address is host:port, empty for no server.
	Address string
	// TLS asks for a certificate.
	TLS bool
	// Hosts and Origins are as in [Config].
	Hosts, Origins []string
}

// Parameters returns the table of parameters. The caller owns it.
func Parameters() []ros2.ParameterDescriptor {
	row := func(name string, value ros2.ParameterValue, meaning string) ros2.ParameterDescriptor {
		return ros2.ParameterDescriptor{Name: name, Default: value, ReadOnly: true, Description: meaning}
	}
	return []ros2.ParameterDescriptor{
		row(paramAddress, ros2.StringValue(""),
			"Where the page for browsers, Foxglove and rosbridge is served, host:port as in 0.0.0.0:8765; empty: nowhere."),
		row(paramTLS, ros2.BoolValue(false), "Serve it encrypted, with the certificate in ROS_HOME, which is made if there is none."),
		row(paramHosts, ros2.StringArrayValue(nil), "Further names of this machine that browsers may use."),
		row(paramOrigins, ros2.StringArrayValue(nil), "Sites whose pages may connect without a token, as in https://app.foxglove.dev."),
	}
}

// Declare declares the parameters of a server on a node, and returns their values. They are read-only at run time.
func Declare(n *ros2.Node) (Settings, error) {
	values := map[string]ros2.ParameterValue{}
	var errs []error
	for _, p := range Parameters() {
		v, err := n.DeclareParameter(p)
		errs = append(errs, err)
		values[p.Name] = v
	}
	if err := errors.Join(errs...); err != nil {
		return Settings{}, err
	}
	return Settings{
		Address: values[paramAddress].Str(), TLS: values[paramTLS].Bool(), Hosts: values[paramHosts].StringArray(), Origins: values[paramOrigins].StringArray(),
	}, nil
}
