// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// parseLine parses a line whose first two words name a command, without running it. It returns the command's arguments,
// nil if the command would not run, and the output.
func parseLine(t testing.TB, args []string) (got *arguments, status int, said string) {
	t.Helper()
	var out bytes.Buffer
	env := Env{Program: "tool", Out: &out, Err: &out}
	all := commands()
	for i := range all {
		all[i].run = func(_ context.Context, s *session) error { got = s.args; return nil }
	}
	status = env.run(t.Context(), all, args)
	return got, status, out.String()
}

// all returns the given options by their long names.
func (a *arguments) all() map[string]string {
	m := map[string]string{}
	a.flags.Visit(func(f *pflag.Flag) { m["--"+f.Name] = f.Value.String() })
	return m
}

func TestParse(t *testing.T) {
	type options = map[string]string
	type words = map[string][]string
	for line, want := range map[string]struct {
		options    options
		positional words
	}{
		"topic list -tcv":                              {options{"--show-types": "true", "--count-topics": "true", "--verbose": "true"}, nil},
		"topic list --inc":                             {options{"--include-hidden-topics": "true"}, nil},
		"topic hz /a -w 5":                             {options{"--window": "5"}, words{"topic_name": {"/a"}}},
		"topic hz -w5 /a":                              {options{"--window": "5"}, words{"topic_name": {"/a"}}},
		"topic hz -w=5 /a":                             {options{"--window": "5"}, words{"topic_name": {"/a"}}},
		"topic hz --window=5 /a":                       {options{"--window": "5"}, words{"topic_name": {"/a"}}},
		"topic hz --win 5 -- -a":                       {options{"--window": "5"}, words{"topic_name": {"-a"}}},
		"topic hz -w 5 -w 6 /a":                        {options{"--window": "6"}, words{"topic_name": {"/a"}}},
		"topic pub -1 /a t":                            {options{"--once": "true"}, words{"topic_name": {"/a"}, "message_type": {"t"}}},
		"topic pub -r10 -t 3 /a t {}":                  {options{"--rate": "10", "--times": "3"}, words{"topic_name": {"/a"}, "message_type": {"t"}, "values": {"{}"}}},
		"param set n p -5":                             {nil, words{"node_name": {"n"}, "parameter_name": {"p"}, "value": {"-5"}}},
		"param set n p -1":                             {nil, words{"node_name": {"n"}, "parameter_name": {"p"}, "value": {"-1"}}},
		"param set n p -.5e3 --spin-time 2":            {options{"--spin-time": "2"}, words{"node_name": {"n"}, "parameter_name": {"p"}, "value": {"-.5e3"}}},
		"param describe n a b c":                       {nil, words{"node_name": {"n"}, "parameter_names": {"a", "b", "c"}}},
		"param list --param-prefixes a b --param-type": {options{"--param-prefixes": "a b", "--param-type": "true"}, nil},
		"param list n --param-prefixes a b":            {options{"--param-prefixes": "a b"}, words{"node_name": {"n"}}},
		"topic list --no-daemon=true --spin-time 0.5":  {options{"--no-daemon": "true", "--spin-time": "0.5"}, nil},
	} {
		got, status, said := parseLine(t, strings.Fields(line))
		if got == nil || status != ExitOK {
			t.Errorf("%s: %d, %s", line, status, said)
			continue
		}
		if want.options == nil {
			want.options = options{}
		}
		if want.positional == nil {
			want.positional = words{}
		}
		if diff := cmp.Diff(want.options, got.all()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
		if diff := cmp.Diff(want.positional, got.positional); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for line, want := range map[string]string{
		"topic list extra":             "unrecognized arguments: extra",
		"topic list -z":                "unrecognized arguments: -z",
		"topic list --verbose=yes":     "argument -v/--verbose: ignored explicit argument 'yes'",
		"topic hz":                     "the following arguments are required: topic_name",
		"topic hz -w":                  "argument -w/--window: expected one argument",
		"topic hz -w x /a":             "argument -w/--window: value must be a positive integer",
		"topic echo -l -1 /a":          "argument -l/--truncate-length: value must be non-negative integer",
		"topic echo -l x /a":           "argument -l/--truncate-length: value must be non-negative integer",
		"topic pub --times -4 /a t":    "argument -t/--times: invalid nonnegative_int value: '-4'",
		"topic pub --print x /a t":     "argument -p/--print: invalid int value: 'x'",
		"topic pub --keep-alive 0 /a":  "argument --keep-alive: invalid positive_float value: '0'",
		"topic list --spin-time soon":  "argument --spin-time: invalid float value: 'soon'",
		"topic list --spin-time nan":   "argument --spin-time: invalid float value: 'nan'",
		"param get n":                  "the following arguments are required: parameter_name",
		"topic pub --qos-d 1 /a t":     "ambiguous option: --qos-d could match --qos-depth, --qos-durability",
		"topic pub -t 1 --once /a t":   "argument -1/--once: not allowed with argument -t/--times",
		"param list --param-prefixes":  "argument --param-prefixes: expected one argument",
		"topic echo --qos-depth 1.5 /": "argument --qos-depth: invalid int value: '1.5'",
	} {
		got, status, said := parseLine(t, strings.Fields(line))
		if got != nil || status != ExitUsage || !strings.HasSuffix(said, ": error: "+want+"\n") || !strings.HasPrefix(said, "usage: tool ") {
			t.Errorf("%s: %d, %s, want %s", line, status, said, want)
		}
	}
}

// --help is not an error at any position, and is printed to the output.
func TestHelpOfEveryCommand(t *testing.T) {
	lines := [][]string{{"--help"}, {"help"}}
	for _, c := range commands() {
		lines = append(lines, []string{c.group}, []string{c.group, "--help"}, []string{c.group, c.name, "--help"},
			[]string{c.group, c.name, "x", "-h", "y", "z", "--nonsense"}, []string{"help", c.group, c.name})
	}
	for _, args := range lines {
		if slices.Contains(args, "--nonsense") {
			args = args[:len(args)-1]
		}
		got, status, said := parseLine(t, args)
		if got != nil || status != ExitOK || !strings.Contains(said, "Usage:\n  tool") {
			t.Errorf("%q: %d, %s", args, status, said)
		}
	}
}

// The help shows every flag's default, and for every command a valid example.
func TestHelpSaysDefaultsAndExamples(t *testing.T) {
	for _, c := range commands() {
		_, _, said := parseLine(t, []string{c.group, c.name, "-h"})
		for i := range c.options {
			if o := &c.options[i]; o.def != "" && !strings.Contains(said, "(default "+o.def+")") {
				t.Errorf("%s %s: no default of --%s in\n%s", c.group, c.name, o.name(), said)
			}
		}
		if len(examples[c.group+" "+c.name]) == 0 {
			t.Errorf("%s %s has no example", c.group, c.name)
		}
		for _, e := range examples[c.group+" "+c.name] {
			line, _, _ := strings.Cut(e, " >")
			var words []string
			for i, part := range strings.Split(line, "'") {
				if words = append(words, part); i%2 == 0 {
					words = append(words[:len(words)-1], strings.Fields(part)...)
				}
			}
			if got, _, wrong := parseLine(t, words); got == nil {
				t.Errorf("%s: %s", e, wrong)
			}
			if !strings.Contains(said, "  tool "+e+"\n") {
				t.Errorf("%s is not shown in\n%s", e, said)
			}
		}
	}
}

// Every command has a summary, and required arguments precede optional ones.
func TestCommandsAreWellFormed(t *testing.T) {
	for _, c := range commands() {
		if c.summary == "" || c.run == nil {
			t.Errorf("%s %s lacks something", c.group, c.name)
		}
		optional := false
		for _, p := range c.positional {
			if p.help == "" || optional && !p.optional {
				t.Errorf("%s %s: argument %s", c.group, c.name, p.name)
			}
			optional = p.optional
		}
		seen := map[string]bool{}
		for i := range c.options {
			o := &c.options[i]
			for _, n := range strings.Fields(o.names) {
				if seen[n] || o.help == "" || !strings.HasPrefix(o.names, "--") {
					t.Errorf("%s %s: option %s", c.group, c.name, n)
				}
				seen[n] = true
			}
		}
	}
}

// For any command line the command runs or prints an error, and its arguments are words of the line.
func TestParseAnything(t *testing.T) {
	all := commands()
	words := rapid.SampledFrom([]string{"-1", "-t", "--times", "--", "-", "x", "-w5", "--qos", "--qos-depth=3", "-h", "", "=", "--=", "-r", "0.5", "é", "-0.5", "-param-type"})
	rapid.Check(t, func(rt *rapid.T) {
		c := &all[rapid.IntRange(0, len(all)-1).Draw(rt, "command")]
		typed := rapid.SliceOf(words).Draw(rt, "words")
		got, status, said := parseLine(t, append([]string{c.group, c.name}, typed...))
		if (got == nil) == (said == "") || status != ExitOK && status != ExitUsage {
			rt.Fatal(got, status, said)
		}
		if got == nil {
			return
		}
		for _, of := range got.positional {
			for _, w := range of {
				if !slices.Contains(typed, w) {
					rt.Fatalf("%q was not typed", w)
				}
			}
		}
	})
}

// A line that needs no rewriting is unchanged, and rewriting is idempotent.
func TestNormalize(t *testing.T) {
	root := &cobra.Command{Use: "tool"}
	root.AddCommand(Commands(Env{Program: "tool"})...)
	for in, want := range map[string]string{
		"":                                "",
		"nope -5":                         "nope -5",
		"topic":                           "topic",
		"topic echo /a":                   "topic echo /a",
		"topic echo /a --once":            "topic echo --once /a",
		"param set -5 --spin-time 1 b -c": "param set --spin-time 1 -c -- -5 b",
		"topic pub /a t -1":               "topic pub -1 /a t",
		"topic pub -times 3 /a t":         "topic pub -times 3 /a t",
		"topic echo -once /a":             "topic echo --once /a",
		"topic hz /a -w":                  "topic hz -w",
		"param set n -1 --spin-time":      "param set --spin-time",
	} {
		got := Normalize(root, strings.Fields(in))
		if line := strings.Join(got, " "); line != want {
			t.Errorf("%q: %q, want %q", in, line, want)
		}
		if again := Normalize(root, got); !slices.Equal(again, got) {
			t.Errorf("%q: twice is %q", in, again)
		}
	}
}

func TestQoSOptions(t *testing.T) {
	for line, want := range map[string]ros2.QoS{
		"topic pub /a t": ros2.LatchedQoS(),
		"topic pub --qos-profile sensor_data /a t":                                  ros2.SensorDataQoS(),
		"topic pub --qos-profile system_default /a t":                               ros2.DefaultQoS(),
		"topic pub --qos-profile unknown /a t":                                      ros2.DefaultQoS(),
		"topic pub --qos-profile action_status_default /a t":                        ros2.LatchedQoS(),
		"topic pub --qos-profile parameters --qos-depth 3 /a t":                     ros2.ParametersQoS().WithDepth(3),
		"topic pub --qos-durability volatile --qos-reliability best_effort /a t":    {Reliability: ros2.BestEffort, Depth: 1},
		"topic pub --qos-history keep_all /a t":                                     {Durability: ros2.TransientLocal, History: ros2.KeepAll, Depth: 1},
		"topic pub --qos-history keep_last --qos-reliability system_default /a t":   ros2.LatchedQoS(),
		"topic pub --qos-profile sensor_data --qos-reliability reliable /a t":       ros2.SensorDataQoS().WithReliability(ros2.Reliable),
		"topic pub --qos-profile default --qos-durability=transient_local --q /a t": {},
	} {
		p, _, said := parseLine(t, strings.Fields(line))
		if p == nil {
			if want != (ros2.QoS{}) {
				t.Errorf("%s: %s", line, said)
			}
			continue
		}
		if got := p.qos(ros2.LatchedQoS()); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
		if p.qosGiven() != strings.Contains(line, "--qos") {
			t.Errorf("%s: given %v", line, p.qosGiven())
		}
	}
}
