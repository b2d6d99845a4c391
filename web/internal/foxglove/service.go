// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
)

// callTime is the time-out of a service call: the calibration of a robot turns it for some seconds.
const callTime = 60 * time.Second

// harmless are the services that change nothing: clients without the right to drive may call them.
var harmless = []string{
	"rcl_interfaces/srv/ListParameters", "rcl_interfaces/srv/DescribeParameters", "rcl_interfaces/srv/GetParameters",
	"rcl_interfaces/srv/GetParameterTypes", "rcl_interfaces/srv/GetLoggerLevels", "type_description_interfaces/srv/GetTypeDescription",
}

// Harmless reports whether a service of a type changes nothing.
func Harmless(rosType string) bool { return slices.Contains(harmless, rosType) }

// callService calls a service and sends its response.
func (c *client) callService(r *serviceRequest) error {
	c.mu.Lock()
	s, ok := c.services[r.service]
	c.mu.Unlock()
	if !ok {
		return c.serviceFailure(r, fmt.Errorf("%w: service %d is not advertised", ErrMessage, r.service))
	}
	if c.role < guard.Drive && !Harmless(s.Type) {
		return c.serviceFailure(r, ErrRights)
	}
	request := append([]byte(nil), r.payload...)
	err := c.later(func(ctx context.Context) error {
		response, err := c.call(ctx, s, r.encoding, request)
		if err != nil {
			return c.serviceFailure(r, err)
		}
		return c.box.Answer(outbox.Frame{Head: serviceHead(r.service, r.call, r.encoding), Body: response})
	})
	if err != nil {
		return c.serviceFailure(r, err)
	}
	return nil
}

func (c *client) call(ctx context.Context, s hub.Service, encoding string, request []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	requestType, responseType, ok := c.hub.ServiceType(s)
	if !ok {
		return nil, fmt.Errorf("%w: %s", hub.ErrUnknownType, s.Type)
	}
	if encoding != encodingCDR && encoding != encodingJSON {
		return nil, fmt.Errorf("%w: encoding %q", ErrMessage, encoding)
	}
	m, err := decode(requestType, encoding == encodingJSON, request)
	if err != nil {
		return nil, err
	}
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return nil, err
	}
	reply, err := c.hub.Call(ctx, s.Name, s.Type, payload)
	if err != nil || encoding == encodingCDR {
		return reply, err
	}
	response, err := dynamic.Decode(responseType, reply)
	if err != nil {
		return nil, err
	}
	return rosjson.Append(nil, response), nil
}

func (c *client) serviceFailure(r *serviceRequest, err error) error {
	return c.say(map[string]any{"op": "serviceCallFailure", "serviceId": r.service, "callId": r.call, "message": err.Error()})
}

// assetReserve is the space in a client's queue that an asset must not use, in bytes, and maxAsset the largest asset
// for the default queue.
const (
	assetReserve = 4096
	maxAsset     = outbox.Limit - assetReserve
)

// mostAsset bounds an asset, in bytes: one that does not fit the client's queue would end the connection.
func (s *Server) mostAsset() int {
	if s.cfg.Queue > 0 {
		return max(s.cfg.Queue-assetReserve, 0)
	}
	return maxAsset
}

// fetchAsset sends the content of a URI.
func (c *client) fetchAsset(data []byte) error {
	var m struct {
		URI     string `json:"uri"`
		Request uint32 `json:"requestId"`
	}
	if err := read(data, &m); err != nil {
		return err
	}
	asset, err := c.asset(m.URI)
	if err != nil {
		return c.box.Answer(outbox.Frame{Head: assetHead(m.Request, err.Error())})
	}
	return c.box.Answer(outbox.Frame{Head: assetHead(m.Request, ""), Body: asset})
}

// ErrAsset is matched when an asset does not exist or can't be read.
var ErrAsset = errors.New("foxglove: no such asset")

func (c *client) asset(uri string) ([]byte, error) {
	if c.server.cfg.Asset == nil {
		return nil, ErrAsset
	}
	data, err := c.server.cfg.Asset(uri)
	if err != nil {
		return nil, fmt.Errorf("%w: %.200q", ErrAsset, uri)
	}
	if most := c.server.mostAsset(); len(data) > most {
		return nil, fmt.Errorf("%w: %.200q has %d bytes, more than %d", ErrAsset, uri, len(data), most)
	}
	return data, nil
}
