// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/rcl.h>
*/
import "C"

import (
	"reflect"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo"
)

// rclgo keeps rcl's handles in unexported fields, and lacks many of the functions that need them. These functions
// return the handles; TestHandles checks the field names against rclgo's source.

func contextHandle(c *rclgo.Context) *C.rcl_context_t {
	return (*C.rcl_context_t)(handle(c, "rcl_context_t"))
}

func nodeHandle(n *rclgo.Node) *C.rcl_node_t { return (*C.rcl_node_t)(handle(n, "rcl_node_t")) }

func publisherHandle(p *rclgo.Publisher) *C.rcl_publisher_t {
	return (*C.rcl_publisher_t)(handle(p, "rcl_publisher_t"))
}

func subscriptionHandle(s *rclgo.Subscription) *C.rcl_subscription_t {
	return (*C.rcl_subscription_t)(handle(s, "rcl_subscription_t"))
}

func serviceHandle(s *rclgo.Service) *C.rcl_service_t {
	return (*C.rcl_service_t)(handle(s, "rclService"))
}

func clientHandle(c *rclgo.Client) *C.rcl_client_t { return (*C.rcl_client_t)(handle(c, "rclClient")) }

// handle returns the pointer in a field of what of points to.
func handle(of any, field string) unsafe.Pointer {
	return reflect.ValueOf(of).Elem().FieldByName(field).UnsafePointer()
}
