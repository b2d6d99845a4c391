// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Offer offers a service for a viewer until the returned function is called. onRequest is called for each request and
// must not block; it may respond at any time before. The type must be one of this program's.
func (h *Hub) Offer(service, rosType string, onRequest func(ros2.Request)) (withdraw func() error, err error) {
	if err := ros2.ValidateFullName(service); err != nil {
		return nil, fmt.Errorf("service: %w", err)
	}
	transport, ok := h.cfg.Transport.(ros2.ServiceTransport)
	if !ok {
		return nil, fmt.Errorf("%w: the transport carries none", ErrNoService)
	}
	request, requestHash := h.types.known(h.cfg.Types, rosType+"_Request")
	response, responseHash := h.types.known(h.cfg.Types, rosType+"_Response")
	if request == nil || response == nil {
		return nil, fmt.Errorf("%w: %q", ErrUnknownType, rosType)
	}
	server, err := transport.NewServer(ros2.ServerConfig{
		ServiceConfig: ros2.ServiceConfig{
			Node: h.cfg.Node, Name: service, Type: rosType, QoS: ros2.ServicesQoS(), RequestHash: requestHash, ResponseHash: responseHash,
		},
		OnRequest: onRequest,
	})
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", service, err)
	}
	return server.Close, nil
}
