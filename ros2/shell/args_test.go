// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// parseLine parses a line whose first two words name a command.
func parseLine(t testing.TB, line string) (*parsed, error) {
	t.Helper()
	c, rest, err := find(strings.Fields(line))
	if err != nil || c == nil {
		t.Fatalf("%s: %v", line, err)
	}
	return parse(c, rest)
}

func TestParse(t *testing.T) {
	for line, want := range map[string]parsed{
		"topic list -tcv":                              {options: map[string][]string{"--show-types": nil, "--count-topics": nil, "--verbose": nil}},
		"topic list --inc":                             {options: map[string][]string{"--include-hidden-topics": nil}},
		"topic hz /a -w 5":                             {options: map[string][]string{"--window": {"5"}}, positional: map[string][]string{"topic_name": {"/a"}}},
		"topic hz -w5 /a":                              {options: map[string][]string{"--window": {"5"}}, positional: map[string][]string{"topic_name": {"/a"}}},
		"topic hz --window=5 /a":                       {options: map[string][]string{"--window": {"5"}}, positional: map[string][]string{"topic_name": {"/a"}}},
		"topic hz --win 5 -- -a":                       {options: map[string][]string{"--window": {"5"}}, positional: map[string][]string{"topic_name": {"-a"}}},
		"topic pub -1 /a t":                            {options: map[string][]string{"--once": nil}, positional: map[string][]string{"topic_name": {"/a"}, "message_type": {"t"}}},
		"param set n p -5":                             {positional: map[string][]string{"node_name": {"n"}, "parameter_name": {"p"}, "value": {"-5"}}},
		"param describe n a b c":                       {positional: map[string][]string{"node_name": {"n"}, "parameter_names": {"a", "b", "c"}}},
		"param list --param-prefixes a b --param-type": {options: map[string][]string{"--param-prefixes": {"a", "b"}, "--param-type": nil}},
		"topic list -h --nonsense":                     {help: true},
	} {
		got, err := parseLine(t, line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for _, m := range []*map[string][]string{&want.options, &want.positional} {
			if *m == nil {
				*m = map[string][]string{}
			}
		}
		if diff := cmp.Diff(want, *got, cmp.AllowUnexported(parsed{})); diff != "" {
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
		_, err := parseLine(t, line)
		var wrong *usageError
		if !errors.As(err, &wrong) || wrong.text != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// Every command has a summary, and what it needs comes before what it may have.
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
				if seen[n] || o.help == "" || !strings.HasPrefix(o.long(), "--") {
					t.Errorf("%s %s: option %s", c.group, c.name, n)
				}
				seen[n] = true
			}
		}
	}
}

// Whatever is typed, the parser answers.
func TestParseAnything(t *testing.T) {
	all := commands()
	words := rapid.SampledFrom([]string{"-1", "-t", "--times", "--", "-", "x", "-w5", "--qos", "--qos-depth=3", "-h", "", "=", "--=", "-r", "0.5", "é"})
	rapid.Check(t, func(t *rapid.T) {
		c := &all[rapid.IntRange(0, len(all)-1).Draw(t, "command")]
		p, err := parse(c, rapid.SliceOf(words).Draw(t, "words"))
		var wrong *usageError
		if (p == nil) == (err == nil) && !errors.As(err, &wrong) {
			t.Fatal(p, err)
		}
	})
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
		p, err := parseLine(t, line)
		if err != nil {
			if want != (ros2.QoS{}) {
				t.Errorf("%s: %v", line, err)
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
