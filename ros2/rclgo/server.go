// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/rcl.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// server implements ros2.Server.
type server struct {
	rclEndpoint
	cfg     ros2.ServerConfig
	support *serviceSupport
	service *rclgo.Service
	handle  *C.rcl_service_t
	taken   int64

	answering sync.Mutex
	ended     bool
}

// NewServer creates a service. The error wraps [ErrType], [ErrConfig] or [ErrRCL].
func (t *Transport) NewServer(cfg ros2.ServerConfig) (ros2.Server, error) {
	support, err := t.types.service(cfg.Type)
	if err != nil {
		return nil, err
	}
	if cfg.OnRequest == nil {
		return nil, fmt.Errorf("%w: OnRequest is nil", ErrConfig)
	}
	s := &server{rclEndpoint: rclEndpoint{t: t, gid: newGID()}, cfg: cfg, support: support}
	return s, s.begin(cfg.Node, func() error {
		err := call("service "+cfg.Name, func() (err error) {
			s.service, err = s.node.NewService(cfg.Name, support, &rclgo.ServiceOptions{Qos: toRCL(cfg.QoS)}, nil)
			return err
		})
		if err == nil {
			s.handle = serviceHandle(s.service)
		}
		return err
	}, func(spin *spinner) { spin.servers = append(spin.servers, s) })
}

// receive passes on one request.
func (s *server) receive() {
	s.while(func() {
		request := s.support.request.PrepareMemory()
		defer s.support.request.ReleaseMemory(request)
		var header C.rmw_service_info_t
		err := check("taking a request of "+s.cfg.Name, func() C.rcl_ret_t {
			return C.rcl_take_request_with_info(s.handle, &header, request)
		})
		if errors.Is(err, codeServiceNoTake) {
			return
		}
		message := encoded{of: &s.support.request, err: err}
		if err == nil {
			s.support.request.AsGoStruct(&message, request)
		}
		if message.err != nil {
			s.t.log.Warn("request lost", slog.Any("error", message.err))
			return
		}
		if s.cfg.MaxRequestSize > 0 && len(message.payload) > s.cfg.MaxRequestSize {
			return
		}
		s.taken++
		id := header.request_id
		s.cfg.OnRequest(ros2.Request{
			Payload: message.payload,
			Info:    serviceInfo(&header, s.taken),
			Respond: func(payload []byte) error { return s.respond(id, payload) },
		})
	})
}

// respond sends the reply to a request.
func (s *server) respond(id C.rmw_request_id_t, payload []byte) error {
	s.answering.Lock()
	defer s.answering.Unlock()
	if s.ended {
		return fmt.Errorf("service %s: %w", s.cfg.Name, ros2.ErrClosed)
	}
	response := s.support.response.PrepareMemory()
	defer s.support.response.ReleaseMemory(response)
	message := encoded{of: &s.support.response, payload: payload}
	if s.support.response.AsCStruct(response, &message); message.err != nil {
		return fmt.Errorf("reply of %s: %w", s.cfg.Name, message.err)
	}
	err := check("reply of "+s.cfg.Name, func() C.rcl_ret_t { return C.rcl_send_response(s.handle, &id, response) })
	if errors.Is(err, codeTimeout) { // the client has left, which does not matter
		return nil
	}
	return err
}

// Close closes the server.
func (s *server) Close() error {
	return s.finish(func(spin *spinner) { remove(&spin.servers, s) }, func() error {
		s.answering.Lock()
		defer s.answering.Unlock()
		s.ended = true
		return call("closing service "+s.cfg.Name, s.service.Close)
	})
}
