// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <stdlib.h>
#include <string.h>
#include <rcl/graph.h>

// From Iron on the graph has the hashes of types.
#if __has_include(<rosidl_runtime_c/type_hash.h>)
#include <rosidl_runtime_c/type_hash.h>
enum { has_hashes = 1 };
static char *hash_text(const rmw_topic_endpoint_info_t *info) {
	char *text = NULL;
	if (info->topic_type_hash.version == 0) return NULL;
	if (rosidl_stringify_type_hash(&info->topic_type_hash, rcutils_get_default_allocator(), &text) != RCUTILS_RET_OK) return NULL;
	return text;
}
#else
enum { has_hashes = 0 };
static char *hash_text(const rmw_topic_endpoint_info_t *info) { (void)info; return NULL; }
#endif
*/
import "C"

import (
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// rclgo was written for Humble: its endpoint information lacks the type hash of later releases.

// typeHashes returns the type hashes that endpoints on a topic announce.
func (n *node) typeHashes(kind ros2.EndpointKind, topic string) map[ros2.GID]string {
	if C.has_hashes == 0 {
		return nil
	}
	name := C.CString(topic)
	defer C.free(unsafe.Pointer(name))
	allocator := C.rcl_get_default_allocator()
	infos := C.rmw_get_zero_initialized_topic_endpoint_info_array()
	err := check("asking for types", func() C.rcl_ret_t {
		if kind == ros2.SubscriptionEndpoint {
			return C.rcl_get_subscriptions_info_by_topic(nodeHandle(n.Node), &allocator, name, false, &infos)
		}
		return C.rcl_get_publishers_info_by_topic(nodeHandle(n.Node), &allocator, name, false, &infos)
	})
	if err != nil {
		return nil
	}
	defer C.rmw_topic_endpoint_info_array_fini(&infos, &allocator)
	hashes := make(map[ros2.GID]string)
	for _, info := range unsafe.Slice(infos.info_array, infos.size) {
		text := C.hash_text(&info)
		if text == nil {
			C.rcutils_reset_error()
			continue
		}
		var gid ros2.GID
		for i := range gid {
			gid[i] = byte(info.endpoint_gid[i])
		}
		hashes[gid] = C.GoString(text)
		C.free(unsafe.Pointer(text))
	}
	return hashes
}
