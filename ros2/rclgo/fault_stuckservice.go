// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/rcl.h>
#include <rcl/graph.h>
*/
import "C"

import "log/slog"

// A client of rclgo sends even without a matched server, and then waits for a reply that cannot arrive (its issue 21:
// "sometimes output nothing"). So nothing is sent before rcl has matched both endpoints of a server, and rclgo's
// client, which also blocks a goroutine for each request, is only used to create the handle.

// checkMatches reports changes of the availability of servers.
func (r *requester) checkMatches() {
	r.while(func() {
		available, err := r.serverThere()
		if err != nil {
			r.t.log.Debug("servers unknown", slog.Any("error", err))
			return
		}
		r.mu.Lock()
		changed := r.available != available
		r.available = available
		r.mu.Unlock()
		if changed && r.cfg.OnAvailable != nil {
			r.cfg.OnAvailable(available)
		}
	})
}

func (r *requester) serverThere() (bool, error) {
	var there C.bool
	err := check("looking for servers of "+r.cfg.Name, func() C.rcl_ret_t {
		return C.rcl_service_server_is_available(nodeHandle(r.node.Node), r.handle, &there)
	})
	return bool(there), err
}
