// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/rcl.h>
*/
import "C"

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// maxOutstanding bounds the requests that wait for replies; the oldest is dropped first.
const maxOutstanding = 1024

// requester implements ros2.Requester.
type requester struct {
	rclEndpoint
	cfg     ros2.ClientConfig
	support *serviceSupport
	client  *rclgo.Client
	handle  *C.rcl_client_t
	taken   int64

	mu        sync.Mutex // not held through callbacks
	ended     bool
	available bool
	sent      map[int64]int64 // rcl's number of a request to the caller's
}

// NewRequester creates a client. The error wraps [ErrType], [ErrConfig] or [ErrRCL].
func (t *Transport) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	support, err := t.types.service(cfg.Type)
	if err != nil {
		return nil, err
	}
	if cfg.OnReply == nil {
		return nil, fmt.Errorf("%w: OnReply is nil", ErrConfig)
	}
	r := &requester{rclEndpoint: rclEndpoint{t: t, gid: newGID()}, cfg: cfg, support: support, sent: make(map[int64]int64)}
	return r, r.begin(cfg.Node, func() error {
		err := call("client of "+cfg.Name, func() (err error) {
			r.client, err = r.node.NewClient(cfg.Name, support, &rclgo.ClientOptions{Qos: toRCL(cfg.QoS)})
			return err
		})
		if err == nil {
			r.handle = clientHandle(r.client)
		}
		return err
	}, func(s *spinner) { s.requesters = append(s.requesters, r) })
}

// Available reports whether a server is available.
func (r *requester) Available() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.available
}

// Send sends a request to the available servers.
func (r *requester) Send(sequence int64, payload []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return fmt.Errorf("client of %s: %w", r.cfg.Name, ros2.ErrClosed)
	}
	if !r.available {
		return fmt.Errorf("%s: %w", r.cfg.Name, ros2.ErrNoServer)
	}
	request := r.support.request.PrepareMemory()
	defer r.support.request.ReleaseMemory(request)
	message := encoded{of: &r.support.request, payload: payload}
	if r.support.request.AsCStruct(request, &message); message.err != nil {
		return fmt.Errorf("request of %s: %w", r.cfg.Name, message.err)
	}
	var number C.int64_t
	err := check("request of "+r.cfg.Name, func() C.rcl_ret_t { return C.rcl_send_request(r.handle, request, &number) })
	if err != nil {
		return err
	}
	r.sent[int64(number)] = sequence
	delete(r.sent, int64(number)-maxOutstanding)
	return nil
}

// receive passes on one reply. With several servers there may be more than one for a request.
func (r *requester) receive() {
	r.while(func() {
		response := r.support.response.PrepareMemory()
		defer r.support.response.ReleaseMemory(response)
		var header C.rmw_service_info_t
		err := check("taking a reply of "+r.cfg.Name, func() C.rcl_ret_t {
			return C.rcl_take_response_with_info(r.handle, &header, response)
		})
		if errors.Is(err, codeClientNoTake) {
			return
		}
		message := encoded{of: &r.support.response, err: err}
		if err == nil {
			r.support.response.AsGoStruct(&message, response)
		}
		if message.err != nil {
			r.t.log.Warn("reply lost", slog.Any("error", message.err))
			return
		}
		r.mu.Lock()
		sequence, ours := r.sent[int64(header.request_id.sequence_number)]
		r.mu.Unlock()
		if !ours || r.cfg.MaxReplySize > 0 && len(message.payload) > r.cfg.MaxReplySize {
			return
		}
		r.taken++
		r.cfg.OnReply(sequence, ros2.Sample{Payload: message.payload, Info: serviceInfo(&header, r.taken)})
	})
}

// Close closes the client.
func (r *requester) Close() error {
	return r.finish(func(s *spinner) { remove(&s.requesters, r) }, func() error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ended = true
		return call("closing the client of "+r.cfg.Name, r.client.Close)
	})
}

// serviceInfo returns the metadata of a request or reply.
func serviceInfo(header *C.rmw_service_info_t, sequence int64) ros2.MessageInfo {
	return ros2.MessageInfo{
		SourceTime:   unixTime(time.Unix(0, int64(header.source_timestamp))),
		ReceivedTime: receivedTime(time.Unix(0, int64(header.received_timestamp))),
		Sequence:     sequence,
	}
}

// newGID returns a random GID: rcl has none for services and clients.
func newGID() (gid ros2.GID) {
	_, _ = rand.Read(gid[:]) // never fails
	return gid
}
