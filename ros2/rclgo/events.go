// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <stdlib.h>
#include <rcl/event.h>
#include <rcl/publisher.h>
*/
import "C"

import (
	"errors"
	"log/slog"
	"slices"
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// qosEvent is an rcl event of an endpoint, which rclgo does not support: a missed deadline, a change of liveliness or a
// lost message.
type qosEvent struct {
	owner  *rclEndpoint
	kind   ros2.EventKind
	handle *C.rcl_event_t
	report func(ros2.EndpointEvent)
}

// events creates the events that are possible with the endpoint's quality of service: each has a cost in every wait.
// The caller holds rcl.
func (w *writer) events() error {
	if w.cfg.OnEvent == nil {
		return nil
	}
	of := func(kind C.rcl_publisher_event_type_t) func(*C.rcl_event_t) C.rcl_ret_t {
		return func(e *C.rcl_event_t) C.rcl_ret_t {
			return C.rcl_publisher_event_init(e, publisherHandle(w.publisher), kind)
		}
	}
	var errs []error
	if w.cfg.QoS.Deadline > 0 {
		errs = append(errs, w.addEvent(ros2.EventOfferedDeadlineMissed, w.cfg.OnEvent, of(C.RCL_PUBLISHER_OFFERED_DEADLINE_MISSED)))
	}
	if w.cfg.QoS.LivelinessLease > 0 {
		errs = append(errs, w.addEvent(ros2.EventLivelinessLost, w.cfg.OnEvent, of(C.RCL_PUBLISHER_LIVELINESS_LOST)))
	}
	return errors.Join(errs...)
}

func (r *reader) events() error {
	if r.cfg.OnEvent == nil {
		return nil
	}
	of := func(kind C.rcl_subscription_event_type_t) func(*C.rcl_event_t) C.rcl_ret_t {
		return func(e *C.rcl_event_t) C.rcl_ret_t { return C.rcl_subscription_event_init(e, r.handle, kind) }
	}
	errs := []error{r.addEvent(ros2.EventMessageLost, r.cfg.OnEvent, of(C.RCL_SUBSCRIPTION_MESSAGE_LOST))}
	if r.cfg.QoS.Deadline > 0 {
		errs = append(errs, r.addEvent(ros2.EventRequestedDeadlineMissed, r.cfg.OnEvent, of(C.RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED)))
	}
	if r.cfg.QoS.LivelinessLease > 0 {
		errs = append(errs, r.addEvent(ros2.EventLivelinessChanged, r.cfg.OnEvent, of(C.RCL_SUBSCRIPTION_LIVELINESS_CHANGED)))
	}
	return errors.Join(errs...)
}

// addEvent creates an event, unless the middleware does not support it.
func (e *rclEndpoint) addEvent(kind ros2.EventKind, report func(ros2.EndpointEvent), init func(*C.rcl_event_t) C.rcl_ret_t) error {
	handle := (*C.rcl_event_t)(C.calloc(1, C.sizeof_rcl_event_t))
	*handle = C.rcl_get_zero_initialized_event()
	if err := check("watching quality of service", func() C.rcl_ret_t { return init(handle) }); err != nil {
		C.free(unsafe.Pointer(handle))
		if errors.Is(err, codeUnsupported) {
			return nil
		}
		return err
	}
	e.watched = append(e.watched, &qosEvent{e, kind, handle, report})
	return nil
}

// endEvents destroys the endpoint's events, which must precede the endpoint's destruction.
func (e *rclEndpoint) endEvents() error {
	var errs []error
	for _, event := range e.watched {
		errs = append(errs, check("ending an event", func() C.rcl_ret_t { return C.rcl_event_fini(event.handle) }))
		C.free(unsafe.Pointer(event.handle))
	}
	e.watched = nil
	return errors.Join(errs...)
}

// dropEvents removes the endpoint's events from the spinner.
func (s *spinner) dropEvents(of *rclEndpoint) {
	s.events = slices.DeleteFunc(s.events, func(e *qosEvent) bool { return e.owner == of })
}

// receive reports one event.
func (v *qosEvent) receive() {
	v.owner.while(func() {
		event, err := v.status()
		switch {
		case errors.Is(err, codeEventNoTake):
		case err != nil:
			v.owner.t.log.Debug("event lost", slog.Any("error", err))
		default:
			v.report(event)
		}
	})
}

// status takes the event's status from rcl.
func (v *qosEvent) status() (event ros2.EndpointEvent, err error) {
	event.Kind = v.kind
	take := func(status unsafe.Pointer) error {
		return check("taking an event", func() C.rcl_ret_t { return C.rcl_take_event(v.handle, status) })
	}
	switch v.kind {
	case ros2.EventLivelinessChanged:
		var s C.rmw_liveliness_changed_status_t
		err = take(unsafe.Pointer(&s))
		event.Liveliness = ros2.LivelinessChangedInfo{
			Alive: int(s.alive_count), NotAlive: int(s.not_alive_count),
			AliveChange: int(s.alive_count_change), NotAliveChange: int(s.not_alive_count_change),
		}
	case ros2.EventMessageLost:
		var s C.rmw_message_lost_status_t
		err = take(unsafe.Pointer(&s))
		event.Total, event.Change = int(s.total_count), int(s.total_count_change)
	case ros2.EventLivelinessLost:
		var s C.rmw_liveliness_lost_status_t
		err = take(unsafe.Pointer(&s))
		event.Total, event.Change = int(s.total_count), int(s.total_count_change)
	default: // of deadlines, the same on both sides
		var s C.rmw_offered_deadline_missed_status_t
		err = take(unsafe.Pointer(&s))
		event.Total, event.Change = int(s.total_count), int(s.total_count_change)
	}
	return event, err
}
