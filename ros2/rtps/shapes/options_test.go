// SPDX-License-Identifier: Apache-2.0

package shapes_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/shapes"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// parse reads a command line that is right.
func parse(t testing.TB, line string) shapes.Options {
	t.Helper()
	o, err := shapes.ParseArgs(strings.Fields(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return o
}

var ignoreInner = cmpopts.IgnoreUnexported(shapes.Options{}, shapes.Filter{})

func TestParseArgs(t *testing.T) {
	base := shapes.Options{
		Publish: true, Topic: "Square", Topics: 1, Instances: 1, Color: "BLUE", Reliability: wire.Reliable, Depth: 1, Strength: -1,
		Size: 20, WritePeriod: 33 * time.Millisecond, ReadPeriod: 100 * time.Millisecond,
	}
	for line, change := range map[string]func(*shapes.Options){
		"-P -t Square":              func(*shapes.Options) {},
		"-PbwtSquare":               func(o *shapes.Options) { o.Reliability, o.Show = wire.BestEffort, true },
		"-P -t Square -brd5":        func(o *shapes.Options) { o.Domain = 5 },
		"-P -t Square -k 0 -z 0":    func(o *shapes.Options) { o.Depth, o.Size = 0, 0 },
		"-P -t Square -s -1 -x 2":   func(o *shapes.Options) { o.Representation = wire.XCDR2 },
		"-P -t Square -s3 -f 2000":  func(o *shapes.Options) { o.Strength, o.Deadline = 3, 2*time.Second },
		"-P -t Square -D l -p p1":   func(o *shapes.Options) { o.Durability, o.Partition = wire.TransientLocal, "p1" },
		"-P -t Square -c RED -v d":  func(o *shapes.Options) { o.Color, o.Debug = "RED", true },
		"-P -t Square --lifespan=9": func(o *shapes.Options) { o.Lifespan = 9 * time.Millisecond },
		"-P -t Square --num-instances 4 --num-topics 3 --num-iterations 200 --write-period 50": func(o *shapes.Options) {
			o.Instances, o.Topics, o.Iterations, o.WritePeriod = 4, 3, 200, 50*time.Millisecond
		},
		"-P -t Square --final-instance-state u":                  func(o *shapes.Options) { o.Final = wire.StatusUnregistered },
		"-P -t Square --final-instance-state d --size-modulo 50": func(o *shapes.Options) { o.Final, o.Modulo = wire.StatusDisposed, 50 },
		"-P -t Square --additional-payload-size 100000":          func(o *shapes.Options) { o.Extra = 100000 },
		"-P -t Square --periodic-announcement 500":               func(o *shapes.Options) { o.Announce = 500 * time.Millisecond },
		"-P -t Square --coherent-sample-count 3":                 func(*shapes.Options) {},
		"-P -t Square --ordered --access-scope t":                func(o *shapes.Options) { o.Ordered, o.Scope = true, wire.PresentTopic },
		"-S -t Square -R --take-read --read-period 400 --time-filter 1000": func(o *shapes.Options) {
			o.Publish, o.Subscribe, o.Color = false, true, ""
			o.Keep, o.Mixed, o.ReadPeriod, o.TimeFilter = true, true, 400*time.Millisecond, time.Second
		},
		"-S -t Square -D p": func(o *shapes.Options) {
			o.Publish, o.Subscribe, o.Color, o.Durability = false, true, "", wire.Persistent
		},
	} {
		want := base
		change(&want)
		if diff := cmp.Diff(want, parse(t, line), ignoreInner); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

func TestParseArgsErrors(t *testing.T) {
	for line, want := range map[string]error{
		"":                                  shapes.ErrArgument,
		"-P":                                shapes.ErrArgument,
		"-t Square":                         shapes.ErrArgument,
		"-P -S -t Square":                   shapes.ErrArgument,
		"-P -t":                             shapes.ErrArgument,
		"-P -t Square -q":                   shapes.ErrArgument,
		"-P -t Square --nonsense":           shapes.ErrArgument,
		"-P -t Square --ordered=1":          shapes.ErrArgument,
		"-P -t Square extra":                shapes.ErrArgument,
		"-P -t Square -d 233":               shapes.ErrArgument,
		"-P -t Square -d -1":                shapes.ErrArgument,
		"-P -t Square -k many":              shapes.ErrArgument,
		"-P -t Square -s -2":                shapes.ErrArgument,
		"-P -t Square -f -1":                shapes.ErrArgument,
		"-P -t Square -x 3":                 shapes.ErrArgument,
		"-P -t Square -D x":                 shapes.ErrArgument,
		"-P -t Square --num-instances 0":    shapes.ErrArgument,
		"-S -t Square -c RED --cft x<5":     shapes.ErrArgument,
		"-S -t Square --cft size<5":         shapes.ErrFilter,
		"-P -t Square --coherent":           shapes.ErrUnsupported,
		"-P -t Square -D t":                 shapes.ErrUnsupported,
		"-P -t Square --datafrag-size 1000": shapes.ErrUnsupported,
		"-S -t S --ordered --access-scope g --num-topics 2": shapes.ErrUnsupported,
		"-h":             shapes.ErrHelp,
		"-P -t S --help": shapes.ErrHelp,
	} {
		if _, err := shapes.ParseArgs(strings.Fields(line)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", line, err, want)
		}
	}
	if _, err := shapes.ParseArgs([]string{"-P", "-t", "S", "-c", strings.Repeat("A", 126)}); !errors.Is(err, shapes.ErrArgument) {
		t.Errorf("long colour: %v", err)
	}
	if !strings.Contains(shapes.ErrUnsupported.Error(), "not supported") {
		t.Errorf("the suite does not understand %q", shapes.ErrUnsupported)
	}
}

func TestUsage(t *testing.T) {
	for _, want := range []string{"-h, --help ", "-t NAME ", "--size-modulo N ", "-D v|l|t|p "} {
		if !strings.Contains(shapes.Usage(), "\n  "+want) {
			t.Errorf("usage lacks %q", want)
		}
	}
}

func TestQoS(t *testing.T) {
	q := func(line string) wire.QoS { o := parse(t, line); return o.QoS() }
	w := q("-P -t S -b -k 0 -D l -f 100 -s 7 -p part -x 2 --lifespan 250 --ordered --access-scope t")
	want := wire.DefaultWriterQoS()
	want.Reliability, want.History, want.Durability = wire.BestEffort, wire.KeepAll, wire.TransientLocal
	want.Deadline, want.Lifespan = wire.DurationOf(100*time.Millisecond), wire.DurationOf(250*time.Millisecond)
	want.Ownership, want.Strength, want.Partition = wire.OwnershipExclusive, 7, []string{"part"}
	want.Representation = []wire.DataRepresentation{wire.XCDR2}
	want.Presentation = wire.Presentation{Scope: wire.PresentTopic, Ordered: true}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Errorf("writer: %s", diff)
	}
	r := q("-S -t S -k 5 -s 7 --lifespan 250 --time-filter 50")
	want = wire.DefaultReaderQoS()
	want.Reliability, want.Depth, want.Ownership = wire.Reliable, 5, wire.OwnershipExclusive
	want.TimeFilter, want.Representation = wire.DurationOf(50*time.Millisecond), []wire.DataRepresentation{wire.XCDR1}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("reader: %s", diff)
	}
}

func TestFilter(t *testing.T) {
	s := &shapes.Shape{Color: "RED", X: -5, Y: 7, Size: 20}
	for text, want := range map[string]bool{
		"shapesize <= 20": true, "shapesize<20": false, " shapesize >= 20 ": true, "shapesize > 20": false, "shapesize = 20": true,
		"shapesize <> 20": false, "x != 5": true, "x = -5": true, "y > 6": true, "color = 'RED'": true, "color <> 'RED'": false, "color < 'S'": true,
	} {
		f, err := shapes.ParseFilter(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := f.Passes(s); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	for _, text := range []string{"", "x", "x <", "x < 'RED'", "color = 5", "x < 5 AND y < 5", "z = 1", "x = 99999999999999999999", "color = RED"} {
		if _, err := shapes.ParseFilter(text); !errors.Is(err, shapes.ErrFilter) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if !(*shapes.Filter)(nil).Passes(s) {
		t.Error("without a filter nothing passes")
	}
}
