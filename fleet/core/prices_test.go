// SPDX-License-Identifier: Apache-2.0

package core

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/tables"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func shipped(t *testing.T) (tables.Table, Prices) {
	t.Helper()
	table, err := tables.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	p, err := fromTable(table)
	if err != nil {
		t.Fatal(err)
	}
	return table, p
}

// cycleOf is what a control cycle with messages of topics costs, so many of each.
func (p *Prices) cycleOf(messages map[string]float64) (all armcost.Interval) {
	all = p.cycle
	for _, stem := range slices.Sorted(func(yield func(string) bool) {
		for s := range messages {
			if !yield(s) {
				return
			}
		}
	}) {
		all = all.Plus(p.sends(message{stem: stem}, 100, true, false).Times(messages[stem]))
	}
	if len(messages) > 0 {
		all = all.Plus(p.batch)
	}
	return all
}

// TestEverything: each control cycle of the table costs what it was counted at: with nothing, with one group of topics,
// and with all of them.
func TestEverything(t *testing.T) {
	costs, p := shipped(t)
	all := map[string]float64{"others": others}
	cycles := map[string]map[string]float64{"nothing": nil, "everything": all}
	for _, g := range rows() {
		cycles[g.name] = map[string]float64{}
		for _, topic := range g.topics {
			cycles[g.name][topic] = g.each
			all[topic] = g.each
		}
	}
	for name, messages := range cycles {
		want, err := costs.Cycles(rowCycle + name)
		if err != nil {
			t.Fatal(err)
		}
		got := p.cycleOf(messages)
		for _, v := range [][2]float64{{got.Low, want.Low}, {got.Likely, want.Likely}, {got.High, want.High}} {
			if math.Abs(v[0]/v[1]-1) > 0.001 {
				t.Errorf("%s: %.0f cycles, the table has %.0f", name, v[0], v[1])
			}
		}
	}
	if p.batch.Likely <= 0 || p.other.Likely <= 0 {
		t.Errorf("batch %+v, other %+v", p.batch, p.other)
	}
}

// TestOthers: the topics without a row are those that the number of others was counted from.
func TestOthers(t *testing.T) {
	every, sometimes := 0, 0
	_, p := shipped(t)
	for _, row := range table.Topics() {
		if row.Direction != table.Published || row.Part == string(parts.Pictures) {
			continue
		}
		if _, ok := p.within[messageOf(row.Names()[0], row.Type).stem]; ok {
			continue
		}
		switch {
		case row.When == table.EveryCycle || row.When == table.EveryReading && row.Rate[:2] == "20":
			every += len(row.Names())
		case row.When == table.EveryReading || row.When == table.EverySecond:
			sometimes++
		}
	}
	if n := float64(every) + 8.0/20 + float64(sometimes-1)/20; sometimes != 3 || math.Abs(n-others) > 0.01 {
		t.Errorf("%d topics each cycle, %d now and then, is %.2f a cycle, counted are %v", every, sometimes, n, others)
	}
}

func TestPricesOfMessages(t *testing.T) {
	costs, p := shipped(t)
	likely := func(row string) float64 {
		c, err := costs.Cycles(row)
		if err != nil {
			t.Fatal(err)
		}
		return c.Likely
	}
	kind := func(s string) message { return messageOf("/r/x", "sensor_msgs/msg/"+s) }
	picture := likely(rowHappens+"picture") - likely(rowCycle+"nothing")
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"a range alone", p.sends(kind("Range"), 60, false, false).Likely, likely(rowPublish + "Range")},
		{"an IMU message alone", p.sends(kind("Imu"), 330, false, false).Likely, likely(rowPublish + "Imu")},
		{"of another type", p.sends(kind("String"), 60, false, false).Likely, likely(rowPublish + "Range")},
		{"a picture", p.sends(kind("CompressedImage"), 20_000, false, false).Likely, picture},
		{"a message taken", p.takes(60).Likely, likely(rowExchange+"Range") - likely(rowPublish+"Range")},
		{"a picture taken", p.takes(20_000).Likely, likely(rowExchange+"CompressedImage") - picture},
		{"a parameter set", 2 * p.asked.Likely, likely(rowHappens+"parameter") - likely(rowCycle+"nothing")},
	} {
		if math.Abs(c.got/c.want-1) > 0.03 {
			t.Errorf("%s: %.0f cycles, want %.0f", c.name, c.got, c.want)
		}
	}
	first, next := p.sends(message{stem: "ps"}, 60, true, true), p.sends(message{stem: "ps"}, 60, true, false)
	if math.Abs(first.Likely-next.Likely-p.batch.Likely) > 1 || next.Likely >= p.aloneOther.Likely {
		t.Errorf("first %+v, next %+v", first, next)
	}
}

func TestPricesByWorld(t *testing.T) {
	core := armcost.Interval{Low: 0.9e9, Likely: 1e9, High: 1.1e9}
	none, err1 := PricesOf(world.Cost{}, core)
	constant, err2 := PricesOf(world.Cost{Callback: 0.002}, core)
	table, err3 := PricesOf(world.Cost{Table: true}, core)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if none.cycle.Likely != 0 || constant.cycle.Likely != 2e6 || constant.taken != constant.cycle || constant.asked != constant.cycle {
		t.Errorf("%+v, %+v", none.cycle, constant.cycle)
	}
	if sent := constant.sends(message{"ps", "Range"}, 1e6, true, true); sent.Likely != 0 {
		t.Errorf("what a callback sends is in its constant: %+v", sent)
	}
	if table.cycle.Likely < 1e5 || table.peer.Likely < 1e6 {
		t.Errorf("%+v", table)
	}
}

// TestMissingRows: a table that lacks a row gives no prices.
func TestMissingRows(t *testing.T) {
	costs, _ := shipped(t)
	for _, name := range []string{rowCycle + "odom", rowPublish + "Imu", rowExchange + "Range", rowHappens + "participant"} {
		var less tables.Table
		for _, r := range costs.Rows {
			if r.Operation != name {
				less.Rows = append(less.Rows, r)
			}
		}
		if _, err := fromTable(less); !errors.Is(err, tables.ErrTable) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestMessageOf(t *testing.T) {
	for _, c := range []struct{ topic, kind, stem, short string }{
		{"/tf", "tf2_msgs/msg/TFMessage", "tf", "TFMessage"},
		{"/r1/ps3", "sensor_msgs/msg/Range", "ps", "Range"},
		{"/r1/ps_raw", "std_msgs/msg/UInt16MultiArray", "ps_raw", "UInt16MultiArray"},
		{"/image_raw/compressed", "sensor_msgs/msg/CompressedImage", "compressed", "CompressedImage"},
		{"x", "y", "x", "y"}, {"", "", "", ""},
	} {
		if got := messageOf(c.topic, c.kind); got != (message{c.stem, c.short}) {
			t.Errorf("%s: %+v", c.topic, got)
		}
	}
}
