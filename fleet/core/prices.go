// SPDX-License-Identifier: Apache-2.0

package core

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/tables"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Prices are the costs of a robot's work, in cycles of the processor. With the zero value all work is free.
type Prices struct {
	cycle armcost.Interval // a control cycle that sends no message
	pause armcost.Interval // timers, scheduler and network between two control cycles
	taken armcost.Interval // a message received
	asked armcost.Interval // a service request served
	peer  armcost.Interval // a participant that joins and leaves

	batch      armcost.Interval            // additional cost of the first message of a control cycle
	within     map[string]armcost.Interval // a message of a control cycle, by topic …
	other      armcost.Interval            // … and of the other topics
	alone      map[string]armcost.Interval // a message outside of a control cycle, by type …
	aloneOther armcost.Interval            // … and of other types

	byteSent, byteTaken armcost.Interval // a byte beyond the size small
}

// The rows of the table.
const (
	rowCycle    = "cmd/epuck-driver CostCycle/"
	rowPublish  = "cmd/epuck-driver CostPublish/"
	rowExchange = "cmd/epuck-driver CostExchange/"
	rowHappens  = "cmd/epuck-driver CostHappening/"
	rowWhole    = "epuck-driver run" // a control cycle that sends no message, and the time until the next
)

const (
	// small is the size up to which a message has the cost of its type, bytes.
	small = 512
	// large is the size of the pictures in the table, bytes.
	large = 20_000
	// others is the mean number of messages, in a control cycle of the table's row "everything", of topics without a
	// row of their own: ps_raw, joint_states, mic0 to mic3, tof and gs0 to gs2 each time, mag at 8 Hz, battery_state
	// and /diagnostics at 1 Hz of 20.
	others = 10.5
)

// rows returns the table's rows of control cycles with topics, and the number of messages of these.
func rows() []row {
	return []row{{"odom", []string{"odom", "tf"}, 1}, {"scan", []string{"scan"}, 1}, {"infrared", []string{"ps"}, 8}, {"light", []string{"ls"}, 8}, {"imu", []string{"imu"}, 1}}
}

type row struct {
	name   string
	topics []string // names without their numbers
	each   float64  // number of messages of each topic
}

// Constant returns prices for which each callback, control cycle and request takes the same time, s; core is the
// processor's frequency, Hz.
func Constant(seconds float64, core armcost.Interval) Prices {
	c := core.Times(seconds)
	return Prices{cycle: c, taken: c, asked: c}
}

// PricesOf returns the prices that a world file requests, from the built-in table. core is the processor's frequency,
// Hz.
func PricesOf(c world.Cost, core armcost.Interval) (Prices, error) {
	if !c.Table {
		return Constant(c.Callback, core), nil
	}
	t, err := tables.Shipped()
	if err != nil {
		return Prices{}, err
	}
	return fromTable(t)
}

// fromTable returns the prices of a table. The error matches tables.ErrTable if a row is missing.
//
// The table has control cycles with some topics and with all. The additional cost of the first message, the batch, is
// such that the row with all topics results as it was counted (TestEverything).
func fromTable(t tables.Table) (p Prices, err error) {
	r := reader{t: t}
	p.cycle = r.row(rowCycle + "nothing")
	p.pause = less(r.row(rowWhole), p.cycle)
	more := map[string]armcost.Interval{}
	var sum armcost.Interval
	for _, g := range rows() {
		more[g.name] = less(r.row(rowCycle+g.name), p.cycle)
		sum = sum.Plus(more[g.name])
	}
	families := more["infrared"].Plus(more["light"]) // 16 small messages
	all := less(r.row(rowCycle+"everything"), p.cycle)
	n := float64(len(rows()))
	p.batch = less(sum.Plus(families.Times(others/16)), all).Times(1 / (n - 1 + others/8))
	p.other = less(families, p.batch.Times(2)).Times(1.0 / 16)
	p.within = map[string]armcost.Interval{}
	for _, g := range rows() {
		for _, topic := range g.topics {
			p.within[topic] = less(more[g.name], p.batch).Times(1 / (g.each * float64(len(g.topics))))
		}
	}
	p.alone = map[string]armcost.Interval{}
	for _, name := range []string{"Range", "LaserScan", "Imu", "Odometry"} {
		p.alone[name] = r.row(rowPublish + name)
	}
	p.aloneOther = p.alone["Range"]
	p.taken = less(r.row(rowExchange+"Range"), p.aloneOther)
	// Not the row of pictures published back to back: they find warm caches.
	picture := less(r.row(rowHappens+"picture"), p.cycle)
	p.byteSent = less(picture, p.aloneOther).Times(1.0 / large)
	p.byteTaken = less(less(r.row(rowExchange+"CompressedImage"), picture), p.taken).Times(1.0 / large)
	// Both endpoints of these are in one program of the table; one of them is the robot's.
	p.asked = less(r.row(rowHappens+"parameter"), p.cycle).Times(0.5)
	p.peer = less(r.row(rowHappens+"participant"), p.cycle).Times(0.5)
	return p, r.err
}

// reader reads rows; err is the error of the first missing one.
type reader struct {
	t   tables.Table
	err error
}

func (r *reader) row(name string) armcost.Interval {
	c, err := r.t.Cycles(name)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("core: %w", err)
	}
	return c
}

// less returns a − b, at least 0.
func less(a, b armcost.Interval) armcost.Interval {
	return armcost.Interval{Low: max(0, a.Low-b.Low), Likely: max(0, a.Likely-b.Likely), High: max(0, a.High-b.High)}
}

// sends returns the cost of sending a message of a size (bytes): as the first or a further one of a control cycle, or
// outside of one.
func (p *Prices) sends(m message, size int, cycle, first bool) armcost.Interval {
	c := p.alone[m.kind]
	if c == (armcost.Interval{}) {
		c = p.aloneOther
	}
	if cycle {
		var ok bool
		if c, ok = p.within[m.stem]; !ok {
			c = p.other
		}
		if first {
			c = c.Plus(p.batch)
		}
	}
	return c.Plus(p.byteSent.Times(beyond(size)))
}

func (p *Prices) takes(size int) armcost.Interval {
	return p.taken.Plus(p.byteTaken.Times(beyond(size)))
}

func beyond(size int) float64 { return float64(max(0, size-small)) }

// message is the topic's name without number and the type's name, by which prices are found.
type message struct{ stem, kind string }

// messageOf returns the message of a topic's full name and type: "/r1/ps3" and "sensor_msgs/msg/Range" result in ps
// and Range.
func messageOf(topic, kind string) message {
	return message{strings.TrimRight(topic[strings.LastIndexByte(topic, '/')+1:], "0123456789"), kind[strings.LastIndexByte(kind, '/')+1:]}
}
