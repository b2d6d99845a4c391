// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Options are the command line options of shape_main.
type Options struct {
	// Publish and Subscribe select the mode of the program; exactly one is true.
	Publish, Subscribe bool
	// Domain is the DDS domain. It defaults to 0.
	Domain uint32
	// Topic is the name of the first topic; Topics is how many there are, the others with a number after the name. It
	// defaults to 1.
	Topic  string
	Topics int
	// Color is the colour that is published, BLUE by default; if set for a subscriber, the only one that it accepts.
	Color string
	// Instances is how many colours are published, the others with a number after the name. It defaults to 1.
	Instances int
	// Partition is the partition of the endpoint. It defaults to none.
	Partition string

	// Reliability defaults to wire.Reliable.
	Reliability wire.ReliabilityKind
	// Durability defaults to wire.Volatile.
	Durability wire.DurabilityKind
	// Representation is the data representation that is offered or requested. It defaults to wire.XCDR1.
	Representation wire.DataRepresentation
	// Depth is the history of each instance; 0 keeps all. It defaults to 1.
	Depth int
	// Strength is the strength of exclusive ownership; -1, the default, means shared ownership.
	Strength int
	// Deadline, Lifespan and TimeFilter are off if zero, the default.
	Deadline, Lifespan, TimeFilter time.Duration
	// Scope, Ordered and Coherent are the presentation.
	Scope             wire.PresentationScope
	Ordered, Coherent bool

	// Size is the size of the shapes, 20 by default; 0 counts up from 1, with Modulo, if set, from 1 to that and again.
	Size, Modulo int
	// Extra is how many bytes are added to each sample.
	Extra int
	// Final is the final state change of the instances: none by default.
	Final wire.StatusInfo
	// WritePeriod and ReadPeriod are the periods of writing and reading. They default to 33 ms and 100 ms.
	WritePeriod, ReadPeriod time.Duration
	// Iterations ends the program after so many rounds; with 0, the default, it runs until it is stopped.
	Iterations int
	// Show prints the published samples, too.
	Show bool
	// Keep prints samples repeatedly, as read does in DDS, instead of taking them.
	Keep bool
	// Mixed reads all instances together instead of instance by instance.
	Mixed bool
	// Filter, if not nil, chooses the samples a subscriber gets.
	Filter *Filter
	// Announce is the period of the participant's announcements. It defaults to that of package rtps.
	Announce time.Duration
	// Debug enables the participant's debug log.
	Debug bool

	fragment int // requested fragment size, which is unsupported
}

// defaults returns the default options.
func defaults() Options {
	return Options{
		Topics: 1, Instances: 1, Reliability: wire.Reliable, Representation: wire.XCDR1, Depth: 1, Strength: -1,
		Size: 20, WritePeriod: 33 * time.Millisecond, ReadPeriod: 100 * time.Millisecond,
	}
}

// QoS returns the policies of the writers or readers.
func (o *Options) QoS() wire.QoS {
	q := wire.DefaultReaderQoS()
	if o.Publish {
		q = wire.DefaultWriterQoS()
		if o.Lifespan > 0 {
			q.Lifespan = wire.DurationOf(o.Lifespan)
		}
	} else if o.TimeFilter > 0 {
		q.TimeFilter = wire.DurationOf(o.TimeFilter)
	}
	q.Reliability, q.Durability = o.Reliability, o.Durability
	q.Representation = []wire.DataRepresentation{o.Representation}
	q.History, q.Depth = wire.KeepLast, int32(o.Depth)
	if o.Depth == 0 {
		q.History, q.Depth = wire.KeepAll, 1
	}
	if o.Deadline > 0 {
		q.Deadline = wire.DurationOf(o.Deadline)
	}
	if o.Strength >= 0 {
		q.Ownership = wire.OwnershipExclusive
		if o.Publish {
			q.Strength = int32(o.Strength)
		}
	}
	if o.Partition != "" {
		q.Partition = []string{o.Partition}
	}
	q.Presentation = wire.Presentation{Scope: o.Scope, Coherent: o.Coherent, Ordered: o.Ordered}
	return q
}
