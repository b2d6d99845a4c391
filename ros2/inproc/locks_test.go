// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// TestConcurrentPublishTakesNoLock: while every mutex of the exchange is held, two goroutines publish to concurrent
// subscribers at the same time, and a third one passes messages from the transport.
func TestConcurrentPublishTakesNoLock(t *testing.T) {
	x, pub := pair()
	var received atomic.Int64
	plain := listenConcurrently(x, func(*int64) { received.Add(1) }, nil)
	informed := listenConcurrently(x, nil, func(*int64, Info) { received.Add(1) })
	for _, mu := range []interface {
		Lock()
		Unlock()
	}{&x.mu, &pub.mu, &pub.dispatcher.mu, &plain.mu, &informed.mu, &plain.box.dispatcher.mu, &informed.box.dispatcher.mu} {
		func() {
			mu.Lock()
			defer mu.Unlock()
			before := received.Load()
			const each = 500
			var group task.Group
			for range 2 {
				group.Go("publish", func() {
					for range each {
						pub.Publish(new(int64))
					}
				})
			}
			group.Go("put", func() {
				for range each {
					plain.Put(new(int64), Info{})
				}
			})
			if !group.WaitFor(time.Minute) {
				t.Fatalf("publishing waits for %T", mu)
			}
			if n := received.Load() - before; n != 5*each {
				t.Errorf("%d callbacks, want %d", n, 5*each)
			}
		}()
	}
}
