// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"strings"
	"time"
)

// Reliability is whether lost messages are resent.
type Reliability uint8

// Values of [Reliability].
const (
	// Reliable messages are resent until every reliable subscription has received them or newer ones have replaced them
	// in the history.
	Reliable Reliability = iota
	// BestEffort messages are sent once.
	BestEffort
	// ReliabilityBestAvailable: see [BestAvailableQoS].
	ReliabilityBestAvailable
)

// Durability is whether a late subscription gets earlier messages.
type Durability uint8

// Values of [Durability].
const (
	// Volatile: only messages published after the match arrive.
	Volatile Durability = iota
	// TransientLocal: the publisher keeps its history for late subscriptions.
	TransientLocal
	// DurabilityBestAvailable: see [BestAvailableQoS].
	DurabilityBestAvailable
)

// History is how many messages are kept.
type History uint8

// Values of [History].
const (
	// KeepLast keeps [QoS.Depth] messages.
	KeepLast History = iota
	// KeepAll keeps every message, up to the transport's limits.
	KeepAll
)

// Liveliness is how publishers assert that they are alive.
type Liveliness uint8

// Values of [Liveliness].
const (
	// LivelinessAutomatic: the process asserts for all its publishers.
	LivelinessAutomatic Liveliness = iota
	// LivelinessManualByTopic: publishing asserts.
	LivelinessManualByTopic
	// LivelinessBestAvailable: see [BestAvailableQoS].
	LivelinessBestAvailable
)

// DefaultDepth is the depth of a [QoS] with Depth 0, as in ROS's default profile.
const DefaultDepth = 10

// QoS is the quality of service that a publisher offers or a subscription
// requests. The zero value is ROS's default profile: reliable, volatile, keep
// last 10.
type QoS struct {
	Reliability Reliability
	Durability  Durability
	History     History
	// Depth is the number of messages kept with [KeepLast]. It defaults to
	// [DefaultDepth].
	Depth int
	// Deadline is the longest time between two messages; 0 is no deadline.
	Deadline time.Duration
	// Lifespan is the age up to which a message is delivered; 0 is unlimited.
	Lifespan time.Duration
	// Liveliness and LivelinessLease are how liveliness is asserted and within which time; a lease of 0 does not
	// expire.
	Liveliness      Liveliness
	LivelinessLease time.Duration
}

// WithDepth returns q with keep last n.
func (q QoS) WithDepth(n int) QoS {
	q.History, q.Depth = KeepLast, n
	return q
}

// WithReliability returns q with the reliability r.
func (q QoS) WithReliability(r Reliability) QoS {
	q.Reliability = r
	return q
}

// WithDurability returns q with the durability d.
func (q QoS) WithDurability(d Durability) QoS {
	q.Durability = d
	return q
}

// EffectiveDepth returns Depth with its default applied.
func (q QoS) EffectiveDepth() int {
	if q.Depth == 0 {
		return DefaultDepth
	}
	return q.Depth
}

// Validate returns an [ErrQoS] that names the first invalid field.
func (q QoS) Validate() error {
	switch {
	case q.Reliability > ReliabilityBestAvailable:
		return fmt.Errorf("%w: reliability %d", ErrQoS, q.Reliability)
	case q.Durability > DurabilityBestAvailable:
		return fmt.Errorf("%w: durability %d", ErrQoS, q.Durability)
	case q.History > KeepAll:
		return fmt.Errorf("%w: history %d", ErrQoS, q.History)
	case q.Liveliness > LivelinessBestAvailable:
		return fmt.Errorf("%w: liveliness %d", ErrQoS, q.Liveliness)
	case q.Depth < 0:
		return fmt.Errorf("%w: depth %d is negative", ErrQoS, q.Depth)
	case q.Deadline < 0:
		return fmt.Errorf("%w: deadline %v is negative", ErrQoS, q.Deadline)
	case q.Lifespan < 0:
		return fmt.Errorf("%w: lifespan %v is negative", ErrQoS, q.Lifespan)
	case q.LivelinessLease < 0:
		return fmt.Errorf("%w: liveliness lease %v is negative", ErrQoS, q.LivelinessLease)
	}
	return nil
}

// String returns a short form for logs, as in "reliable, volatile, keep last 10".
func (q QoS) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, %v, %v", q.Reliability, q.Durability, q.History)
	if q.History == KeepLast {
		fmt.Fprintf(&b, " %d", q.EffectiveDepth())
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"deadline", q.Deadline}, {"lifespan", q.Lifespan}, {"liveliness lease", q.LivelinessLease}} {
		if d.value == PeriodBestAvailable {
			fmt.Fprintf(&b, ", %s best available", d.name)
		} else if d.value > 0 {
			fmt.Fprintf(&b, ", %s %v", d.name, d.value)
		}
	}
	if q.Liveliness != LivelinessAutomatic {
		fmt.Fprintf(&b, ", liveliness %v", q.Liveliness)
	}
	return b.String()
}

// String returns "reliable", "best effort" or "reliability best available".
func (r Reliability) String() string {
	return pick(int(r), "reliable", "best effort", "reliability best available")
}

// String returns "volatile", "transient local" or "durability best available".
func (d Durability) String() string {
	return pick(int(d), "volatile", "transient local", "durability best available")
}

// String returns "keep last" or "keep all".
func (h History) String() string { return pick(int(h), "keep last", "keep all") }

// String returns "automatic", "manual by topic" or "best available".
func (l Liveliness) String() string {
	return pick(int(l), "automatic", "manual by topic", "best available")
}

func pick(i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}
