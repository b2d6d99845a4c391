// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// offered lists the topics that exist now. It is safe for concurrent use.
type offered struct {
	mu  sync.Mutex
	all []table.Output
}

func (o *offered) add(outputs []table.Output) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, outputs...)
}

func (o *offered) remove(outputs []table.Output) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = slices.DeleteFunc(o.all, func(x table.Output) bool { return slices.Contains(outputs, x) })
}

// statuses appends a snapshot of every topic.
func (o *offered) statuses(to []health.TopicStatus) []health.TopicStatus {
	o.mu.Lock()
	defer o.mu.Unlock()
	to = slices.Grow(to, len(o.all))
	for _, x := range o.all {
		to = append(to, x.Status())
	}
	return to
}
