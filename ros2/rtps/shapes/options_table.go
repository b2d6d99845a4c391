// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// option is a command-line option.
type option struct {
	letter byte   // 0 if there is none
	long   string // "" if there is none
	value  string // name of the value in the help; "" if it takes none
	help   string
	set    func(o *Options, value string) error
}

// name returns the option's name for messages.
func (t *option) name() string {
	if t.long != "" {
		return "--" + t.long
	}
	return "-" + string(t.letter)
}

// table lists the options of the suite (its document names them).
var table = [...]option{
	{'h', "help", "", "print this", func(*Options, string) error { return ErrHelp }},
	{'v', "", "e|d", "log errors only, or all", func(o *Options, s string) error { return choose(s, &o.Debug, map[string]bool{"e": false, "d": true}) }},
	{'P', "", "", "publish", func(o *Options, _ string) error { o.Publish = true; return nil }},
	{'S', "", "", "subscribe", func(o *Options, _ string) error { o.Subscribe = true; return nil }},
	{'d', "", "N", "domain", func(o *Options, s string) error { return number(s, &o.Domain, 0, 232) }},
	{'b', "", "", "best effort", func(o *Options, _ string) error { o.Reliability = wire.BestEffort; return nil }},
	{'r', "", "", "reliable", func(o *Options, _ string) error { o.Reliability = wire.Reliable; return nil }},
	{'k', "", "DEPTH", "keep so many samples of an instance, 0 for all", func(o *Options, s string) error { return number(s, &o.Depth, 0, math.MaxInt32) }},
	{'f', "", "MS", "deadline", func(o *Options, s string) error { return milliseconds(s, &o.Deadline) }},
	{'s', "", "N", "exclusive ownership of this strength, -1 for shared", func(o *Options, s string) error { return number(s, &o.Strength, -1, math.MaxInt32) }},
	{'t', "", "NAME", "topic", func(o *Options, s string) error { o.Topic = s; return nil }},
	{'c', "", "COLOR", "colour to publish, or the only one to accept", func(o *Options, s string) error { return setColor(o, s) }},
	{'p', "", "NAME", "partition", func(o *Options, s string) error { o.Partition = s; return nil }},
	{'D', "", "v|l|t|p", "durability: volatile, transient local, transient, persistent", func(o *Options, s string) error {
		return choose(s, &o.Durability, map[string]wire.DurabilityKind{"v": wire.Volatile, "l": wire.TransientLocal, "t": wire.Transient, "p": wire.Persistent})
	}},
	{'x', "", "1|2", "data representation XCDR1 or XCDR2", func(o *Options, s string) error {
		return choose(s, &o.Representation, map[string]wire.DataRepresentation{"1": wire.XCDR1, "2": wire.XCDR2})
	}},
	{'w', "", "", "print what is published", func(o *Options, _ string) error { o.Show = true; return nil }},
	{'z', "", "N", "size of the shapes, 0 to count", func(o *Options, s string) error { return number(s, &o.Size, 0, math.MaxInt32) }},
	{'R', "", "", "read without taking", func(o *Options, _ string) error { o.Keep = true; return nil }},
	{0, "write-period", "MS", "pause between writes", func(o *Options, s string) error { return milliseconds(s, &o.WritePeriod) }},
	{0, "read-period", "MS", "pause between reads", func(o *Options, s string) error { return milliseconds(s, &o.ReadPeriod) }},
	{0, "time-filter", "MS", "minimum time between samples of an instance", func(o *Options, s string) error { return milliseconds(s, &o.TimeFilter) }},
	{0, "lifespan", "MS", "how long samples are valid", func(o *Options, s string) error { return milliseconds(s, &o.Lifespan) }},
	{0, "num-iterations", "N", "end after so many rounds", func(o *Options, s string) error { return number(s, &o.Iterations, 0, math.MaxInt32) }},
	{0, "num-instances", "N", "colours to publish", func(o *Options, s string) error { return number(s, &o.Instances, 1, 1000) }},
	{0, "num-topics", "N", "topics", func(o *Options, s string) error { return number(s, &o.Topics, 1, 1000) }},
	{0, "final-instance-state", "u|d", "unregister or dispose the instances at the end", func(o *Options, s string) error {
		return choose(s, &o.Final, map[string]wire.StatusInfo{"u": wire.StatusUnregistered, "d": wire.StatusDisposed})
	}},
	{0, "access-scope", "i|t|g", "scope of order: instance, topic or group", func(o *Options, s string) error {
		return choose(s, &o.Scope, map[string]wire.PresentationScope{"i": wire.PresentInstance, "t": wire.PresentTopic, "g": wire.PresentGroup})
	}},
	{0, "coherent", "", "coherent sets", func(o *Options, _ string) error { o.Coherent = true; return nil }},
	{0, "ordered", "", "ordered access", func(o *Options, _ string) error { o.Ordered = true; return nil }},
	{0, "coherent-sample-count", "N", "samples of a coherent set", func(_ *Options, s string) error { return number(s, new(int), 0, math.MaxInt32) }},
	{0, "additional-payload-size", "N", "bytes added to each sample", func(o *Options, s string) error { return number(s, &o.Extra, 0, 4<<20) }},
	{0, "take-read", "", "read all instances at once", func(o *Options, _ string) error { o.Mixed = true; return nil }},
	{0, "periodic-announcement", "MS", "period of announcements", func(o *Options, s string) error { return milliseconds(s, &o.Announce) }},
	{0, "datafrag-size", "N", "size of fragments", func(o *Options, s string) error { return number(s, &o.fragment, 0, math.MaxInt32) }},
	{0, "cft", "FILTER", `accept only samples that pass a filter, like "shapesize <= 20"`, func(o *Options, s string) (err error) { o.Filter, err = ParseFilter(s); return err }},
	{0, "size-modulo", "N", "count sizes from 1 to N", func(o *Options, s string) error { return number(s, &o.Modulo, 0, math.MaxInt32) }},
}

// number reads an integer within bounds.
func number[T int | uint32](s string, to *T, least, most int64) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%w: %q, want a number from %d to %d", errArgument, s, least, most)
	}
	*to = T(n)
	return nil
}

// milliseconds reads a time.
func milliseconds(s string, to *time.Duration) error {
	var n int
	if err := number(s, &n, 0, math.MaxInt32); err != nil {
		return err
	}
	*to = time.Duration(n) * time.Millisecond
	return nil
}

// choose reads one of several letters.
func choose[T any](s string, to *T, from map[string]T) error {
	v, ok := from[s]
	if !ok {
		return fmt.Errorf("%w: %q", errArgument, s)
	}
	*to = v
	return nil
}

// setColor limits the length so that the number of an instance can be appended.
func setColor(o *Options, s string) error {
	if s == "" || len(s) > maxColor-3 {
		return fmt.Errorf("%w: a colour of %d bytes", errArgument, len(s))
	}
	o.Color = s
	return nil
}

// Usage returns the list of options.
func Usage() string {
	var b strings.Builder
	b.WriteString("usage: shape_main -P|-S -t TOPIC [options]\n")
	for i := range table {
		t, left := &table[i], ""
		if t.letter != 0 {
			left = "-" + string(t.letter)
		}
		if t.letter != 0 && t.long != "" {
			left += ", "
		}
		if t.long != "" {
			left += "--" + t.long
		}
		fmt.Fprintf(&b, "  %-32s %s\n", left+" "+t.value, t.help)
	}
	return b.String()
}
