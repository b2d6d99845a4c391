// SPDX-License-Identifier: Apache-2.0

package record

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Losses are the messages that a bag lacks, by cause. Each is counted once.
type Losses struct {
	// Queue counts messages for which the cache had no space: the disk was slower than the messages, or a message is
	// larger than the cache.
	Queue uint64
	// Disk counts messages that could not be written because the disk was full or failed.
	Disk uint64
	// Publisher counts messages that never arrived: best effort lost them on the network, a publisher's history did not
	// hold them long enough, or a publisher had dropped them before ([Config.Dropped]). They are not counted with
	// [Config.Snapshots].
	Publisher uint64
	// OtherType counts messages of publishers whose type has another definition than that which is recorded, or another
	// name: a topic of a bag has one.
	OtherType uint64
}

// Total returns the number of all lost messages.
func (l Losses) Total() uint64 { return l.Queue + l.Disk + l.Publisher + l.OtherType }

func (l Losses) plus(o Losses) Losses {
	return Losses{l.Queue + o.Queue, l.Disk + o.Disk, l.Publisher + o.Publisher, l.OtherType + o.OtherType}
}

// missed counts the messages that did not arrive or cannot be recorded. It is safe for concurrent use.
type missed struct {
	network   atomic.Uint64         // since the last call of take
	otherType atomic.Uint64         // since the last call of take
	dropped   func() (total uint64) // by publishers; nil: not known
	before    uint64                // dropped at the last call of take
}

// onEvent counts the messages that the transport reports as lost.
func (m *missed) onEvent(ev ros2.EndpointEvent) {
	if ev.Kind == ros2.EventMessageLost && ev.Change > 0 {
		m.network.Add(uint64(ev.Change))
	}
}

// take returns the losses since the last call. Only one goroutine may call it.
func (m *missed) take() Losses {
	l := Losses{Publisher: m.network.Swap(0), OtherType: m.otherType.Swap(0)}
	if m.dropped != nil {
		total := m.dropped()
		l.Publisher += total - min(total, m.before)
		m.before = total
	}
	return l
}
