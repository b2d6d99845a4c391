// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <stdlib.h>
#include <rcl/rcl.h>
#include <rcl/event.h>
#include <rcl/graph.h>

static rcl_ret_t fill(rcl_wait_set_t *set,
	const rcl_guard_condition_t **guards, size_t nguards,
	const rcl_subscription_t **subscriptions, size_t nsubscriptions,
	const rcl_service_t **services, size_t nservices,
	const rcl_client_t **clients, size_t nclients,
	const rcl_event_t **events, size_t nevents)
{
	rcl_ret_t rc = rcl_wait_set_resize(set, nsubscriptions, nguards, 0, nclients, nservices, nevents);
	if (rc == RCL_RET_OK) rc = rcl_wait_set_clear(set);
	for (size_t i = 0; rc == RCL_RET_OK && i < nguards; i++) rc = rcl_wait_set_add_guard_condition(set, guards[i], NULL);
	for (size_t i = 0; rc == RCL_RET_OK && i < nsubscriptions; i++) rc = rcl_wait_set_add_subscription(set, subscriptions[i], NULL);
	for (size_t i = 0; rc == RCL_RET_OK && i < nservices; i++) rc = rcl_wait_set_add_service(set, services[i], NULL);
	for (size_t i = 0; rc == RCL_RET_OK && i < nclients; i++) rc = rcl_wait_set_add_client(set, clients[i], NULL);
	for (size_t i = 0; rc == RCL_RET_OK && i < nevents; i++) rc = rcl_wait_set_add_event(set, events[i], NULL);
	return rc;
}
*/
import "C"

import (
	"errors"
	"time"
	"unsafe"
)

// waitSet is an rcl wait set with the handles in it. Only the waiting goroutine uses it.
type waitSet struct {
	rcl           C.rcl_wait_set_t
	guards        []*C.rcl_guard_condition_t
	subscriptions []*C.rcl_subscription_t
	services      []*C.rcl_service_t
	clients       []*C.rcl_client_t
	events        []*C.rcl_event_t
}

func (w *waitSet) init(c *C.rcl_context_t) error {
	w.rcl = C.rcl_get_zero_initialized_wait_set()
	return check("making a wait set", func() C.rcl_ret_t {
		return C.rcl_wait_set_init(&w.rcl, 0, 1, 0, 0, 0, 0, c, C.rcl_get_default_allocator())
	})
}

func (w *waitSet) free() error {
	return check("ending a wait set", func() C.rcl_ret_t { return C.rcl_wait_set_fini(&w.rcl) })
}

// fill adds the endpoints and events of s; the caller holds s.mu.
func (w *waitSet) fill(s *spinner) error {
	w.guards = append(w.guards[:0], s.wake)
	if s.graph != nil {
		w.guards = append(w.guards, s.graph)
	}
	w.subscriptions, w.services, w.clients, w.events = w.subscriptions[:0], w.services[:0], w.clients[:0], w.events[:0]
	for _, r := range s.readers {
		w.subscriptions = append(w.subscriptions, r.handle)
	}
	for _, v := range s.servers {
		w.services = append(w.services, v.handle)
	}
	for _, c := range s.requesters {
		w.clients = append(w.clients, c.handle)
	}
	for _, e := range s.events {
		w.events = append(w.events, e.handle)
	}
	return check("filling a wait set", func() C.rcl_ret_t {
		return C.fill(&w.rcl,
			unsafe.SliceData(w.guards), C.size_t(len(w.guards)),
			unsafe.SliceData(w.subscriptions), C.size_t(len(w.subscriptions)),
			unsafe.SliceData(w.services), C.size_t(len(w.services)),
			unsafe.SliceData(w.clients), C.size_t(len(w.clients)),
			unsafe.SliceData(w.events), C.size_t(len(w.events)))
	})
}

func (w *waitSet) wait(timeout time.Duration) error {
	err := check("waiting", func() C.rcl_ret_t { return C.rcl_wait(&w.rcl, C.int64_t(timeout)) })
	if errors.Is(err, codeTimeout) {
		return nil
	}
	return err
}

// collect returns which endpoints and events of s are ready; the caller holds s.mu, and s is unchanged since fill.
func (w *waitSet) collect(s *spinner, r *ready) {
	guards := unsafe.Slice(w.rcl.guard_conditions, len(w.guards))
	r.graph = len(guards) > 1 && guards[1] != nil
	for i, h := range unsafe.Slice(w.rcl.subscriptions, len(w.subscriptions)) {
		if h != nil {
			r.take = append(r.take, s.readers[i].receive)
		}
	}
	for i, h := range unsafe.Slice(w.rcl.services, len(w.services)) {
		if h != nil {
			r.take = append(r.take, s.servers[i].receive)
		}
	}
	for i, h := range unsafe.Slice(w.rcl.clients, len(w.clients)) {
		if h != nil {
			r.take = append(r.take, s.requesters[i].receive)
		}
	}
	for i, h := range unsafe.Slice(w.rcl.events, len(w.events)) {
		if h != nil {
			r.take = append(r.take, s.events[i].receive)
		}
	}
}

// graphGuard returns the node's guard condition for changes of the graph.
func graphGuard(n *node) *C.rcl_guard_condition_t {
	return C.rcl_node_get_graph_guard_condition(nodeHandle(n.Node))
}
