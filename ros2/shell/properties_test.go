// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// parameterNames draws different names of parameters, none of which is the beginning of another's words.
func parameterNames(t *rapid.T) []string {
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c]{1,2}(\.[a-c]{1,2}){0,2}`), 1, 12, rapid.ID[string]).Draw(t, "names")
	slices.Sort(names)
	return slices.DeleteFunc(names, func(n string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, n+".") })
	})
}

// parameterValue draws what a parameter may hold, as YAML reads it.
func parameterValue() *rapid.Generator[any] {
	number := rapid.Int64Range(-1e12, 1e12)
	real := rapid.Float64Range(-1e6, 1e6)
	word := rapid.SampledFrom([]string{"", "a", "true", "1", "1.5", "it's", `"x"`, "a: b", "- a", "ä", " ", "null", "#"})
	list := func(g *rapid.Generator[any]) *rapid.Generator[any] {
		return rapid.Map(rapid.SliceOfN(g, 1, 3), func(v []any) any { return v })
	}
	return rapid.OneOf(number.AsAny(), real.AsAny(), word.AsAny(), rapid.Bool().AsAny(),
		list(number.AsAny()), list(real.AsAny()), list(word.AsAny()), list(rapid.Bool().AsAny()))
}

// What "param dump" writes, "param load" reads: every parameter with its value, and its type.
func TestDumpedIsLoaded(t *testing.T) {
	value, err := dynamic.Resolve("rcl_interfaces/msg/ParameterValue", msgs.Definition)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		names := parameterNames(t)
		tree, want := dynamic.Map{}, map[string]string{}
		for _, name := range names {
			m := dynamic.New(value)
			if err := setParameterValue(m, parameterValue().Draw(t, name), "?"); err != nil {
				t.Fatal(err)
			}
			want[name] = m.Flow()
			tree = insert(tree, strings.Split(name, "."), parameterTree(m))
		}
		file := dynamic.WriteYAML(dynamic.Map{{Key: "/n", Value: dynamic.Map{{Key: "ros__parameters", Value: tree}}}}, false)
		got, err := fileParameters(file, "/n", rapid.Bool().Draw(t, "wildcard"))
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		if len(got) != len(want) {
			t.Fatalf("%d parameters, want %d:\n%s", len(got), len(want), file)
		}
		for _, p := range got {
			m := dynamic.New(value)
			if err := setParameterValue(m, p.value, p.source); err != nil {
				t.Fatal(err)
			}
			if m.Flow() != want[p.name] {
				t.Fatalf("%s: %s, want %s, in\n%s", p.name, m.Flow(), want[p.name], file)
			}
		}
	})
}

// Nested mappings stay sorted however their entries come.
func TestInsertSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := parameterNames(t)
		tree := dynamic.Map{}
		for _, n := range rapid.Permutation(names).Draw(t, "order") {
			tree = insert(tree, strings.Split(n, "."), n)
		}
		var got []string
		for _, p := range flatten(nil, "", tree) {
			got = append(got, p.name)
		}
		byWords := func(a, b string) int { return slices.Compare(strings.Split(a, "."), strings.Split(b, ".")) }
		slices.SortFunc(names, byWords)
		if !slices.Equal(got, names) {
			t.Fatalf("%q, want %q", got, names)
		}
	})
}

func TestFileParametersRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"- a":                                    "Param file is not a YAML mapping",
		"/m:\n  ros__parameters: {a: 1}":         "Param file does not contain parameters for /n, only for nodes: /m",
		"/n: 5":                                  "Invalid structure of parameter file for node /n",
		"/n:\n  parameters: {a: 1}":              "Invalid structure of parameter file for node /n",
		"/n:\n  ros__parameters: 5":              "Invalid structure of parameter file for node /n",
		"/**: 1\n/n:\n  ros__parameters: {a: 1}": "Invalid structure of parameter file for node /**",
		"{":                                      "",
	} {
		if got, err := fileParameters(text, "/n", true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", text, got, err, want)
		}
	}
	both := "/**:\n  ros__parameters: {a: 1, b: 2}\n/n:\n  ros__parameters: {b: 3, c: {d: 4}}"
	for wildcard, want := range map[bool]string{true: "a=1 b=3 c.d=4", false: "b=3 c.d=4"} {
		list, err := fileParameters(both, "/n", wildcard)
		var got []string
		for _, p := range list {
			got = append(got, fmt.Sprintf("%s=%v", p.name, p.value))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("wildcard %v: %q, %v, want %s", wildcard, got, err, want)
		}
	}
}

// The window of hz has the last gaps, and its figures are those of the definition.
func TestRateMatchesDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.IntRange(1, 6).Draw(t, "window")
		r := rate{window: window}
		now := time.Unix(1_000_000, 0)
		r.add(now)
		var gaps []float64
		for range rapid.IntRange(1, 20).Draw(t, "messages") {
			gap := time.Duration(rapid.IntRange(1, 1500).Draw(t, "ms")) * time.Millisecond
			now = now.Add(gap)
			gaps = append(gaps, gap.Seconds())
			text := r.add(now)
			last := gaps[max(0, len(gaps)-window):]
			if !slices.EqualFunc(r.gaps, last, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
				t.Fatalf("gaps %v, want %v", r.gaps, last)
			}
			if text == "" {
				continue
			}
			sum := 0.0
			for _, g := range last {
				sum += g
			}
			want := fmt.Sprintf("average rate: %.3f\n\tmin: %.3fs max: %.3fs ", float64(len(last))/sum, slices.Min(last), slices.Max(last))
			if !strings.HasPrefix(text, want) {
				t.Fatalf("%q, want %q", text, want)
			}
		}
	})
}

// What an inbox gives out, in order, and what it counts as lost, is all that was put in.
func TestInboxAccountsForAllMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newInbox()
		next := [3]int64{1, 1, 1}
		var sent, skipped int64
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			p := rapid.IntRange(0, 2).Draw(t, "publisher")
			skip := rapid.SampledFrom([]int64{0, 0, 0, 1, 5}).Draw(t, "skip")
			if next[p] == 1 {
				skip = 0 // what was before the first is not known
			}
			next[p] += skip
			b.put(sample(byte(p+1), next[p], rapid.IntRange(0, 100).Draw(t, "size")))
			next[p]++
			sent++
			skipped += skip
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if int64(len(b.list)) != sent || int64(b.lost) != skipped {
			t.Fatalf("%d messages and %d lost, want %d and %d", len(b.list), b.lost, sent, skipped)
		}
		last := map[ros2.GID]int64{}
		bytes := 0
		for _, s := range b.list {
			if s.Info.Sequence <= last[s.Info.Publisher] {
				t.Fatalf("number %d behind %d", s.Info.Sequence, last[s.Info.Publisher])
			}
			last[s.Info.Publisher] = s.Info.Sequence
			bytes += len(s.Payload)
		}
		if bytes != b.bytes {
			t.Fatalf("%d bytes, counted %d", bytes, b.bytes)
		}
	})
}

// The checks of options agree with what numbers are.
func TestNumberChecks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }),
			rapid.Map(rapid.Float64(), func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }),
			rapid.SampledFrom([]string{"", "0", "-0", "+1", "1.0", "1e3", "NaN", "Inf", "-Inf", "0x10", "1_000", "2147483648"})).Draw(t, "text")
		n, errInt := strconv.ParseInt(text, 10, 32)
		f, errFloat := strconv.ParseFloat(text, 64)
		finite := errFloat == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
		for name, c := range map[string]struct{ got, want bool }{
			"isInteger":       {isInteger(text) == nil, errInt == nil},
			"isPositive":      {isPositive(text) == nil, errInt == nil && n > 0},
			"isNonnegative":   {isNonnegative(text) == nil, errInt == nil && n >= 0},
			"isUnsigned":      {isUnsigned(text) == nil, errInt == nil && n >= 0},
			"isFloat":         {isFloat(text) == nil, finite},
			"isPositiveFloat": {isPositiveFloat(text) == nil, finite && f > 0},
		} {
			if c.got != c.want {
				t.Fatalf("%s(%q) = %v", name, text, c.got)
			}
		}
	})
}

// Commands of other packages say by annotations how their flags take words.
func TestNormalizeAnnotations(t *testing.T) {
	root, cmd := &cobra.Command{Use: "tool"}, &cobra.Command{Use: "record", Run: func(*cobra.Command, []string) {}}
	root.AddCommand(cmd)
	cmd.Flags().StringArrayP("topics", "t", nil, "")
	cmd.Flags().Float64("loop", 0, "")
	cmd.Flags().Lookup("loop").NoOptDefVal = "1"
	cmd.Flags().Bool("all", false, "")
	for flag, annotation := range map[string]string{"topics": SeveralValues, "loop": OptionalNumber} {
		if err := cmd.Flags().SetAnnotation(flag, annotation, []string{"yes"}); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Flags().String("web", "", "")
	cmd.Flags().Lookup("web").NoOptDefVal = "localhost:1"
	cmd.Flags().String("robots", "", "")
	cmd.Flags().Lookup("robots").NoOptDefVal = "1"
	for flag, forms := range map[string][]string{"web": {"off"}, "robots": {AddressPort}} {
		if err := cmd.Flags().SetAnnotation(flag, OptionalAddress, forms); err != nil {
			t.Fatal(err)
		}
	}
	for in, want := range map[string]string{
		"record --web 0.0.0.0:80 x":     "record --web=0.0.0.0:80 x",
		"record --web [::1]:80 x":       "record --web=[::1]:80 x",
		"record --web :80":              "record --web=:80",
		"record --web off x":            "record --web=off x",
		"record --web 80":               "record --web 80", // perhaps a file
		"record --web bag":              "record --web bag",
		"record --web a:b":              "record --web a:b",
		"record --web a:70000":          "record --web a:70000",
		"record --web --all":            "record --web --all",
		"record --web=:1 :2":            "record --web=:1 :2",
		"record --robots 80":            "record --robots=80",
		"record --robots off":           "record --robots off",
		"record --topics /a /b --all x": "record --topics /a --topics /b --all x",
		"record -t /a /b":               "record -t /a --topics /b",
		"record --loop 2.5 x":           "record --loop=2.5 x",
		"record --loop x":               "record --loop x",
		"record --loop":                 "record --loop",
		"record --loop -1":              "record --loop=-1",
		"record --all -- --topics":      "record --all -- --topics",
		"record -all":                   "record --all",
		"record -0.5 --all":             "record --all -- -0.5",
		"record --topics":               "record --topics",
	} {
		if got := strings.Join(Normalize(root, strings.Fields(in)), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Normalize loses no word of a command line, and invents none but "--" and the names of repeated flags.
func TestNormalizeKeepsWords(t *testing.T) {
	root := &cobra.Command{Use: "tool"}
	root.AddCommand(Commands(Env{Program: "tool"})...)
	words := rapid.SampledFrom([]string{"-1", "-t", "--times", "--", "-", "x", "-w5", "--qos", "--qos-depth=3", "-h", "", "=", "-r", "0.5", "é", "-0.5"})
	rapid.Check(t, func(t *rapid.T) {
		in := append([]string{"topic", "pub"}, rapid.SliceOf(words).Draw(t, "words")...)
		out := Normalize(root, in)
		count := func(list []string, word string) (n int) {
			for _, w := range list {
				if w == word {
					n++
				}
			}
			return n
		}
		lacking := len(out) < len(in) // a flag at the end without its value: the rest does not matter any more
		for _, w := range in {
			if w != "--" && !lacking && count(out, w) != count(in, w) {
				t.Fatalf("%q became %q", in, out)
			}
		}
		if again := Normalize(root, out); !slices.Equal(again, out) {
			t.Fatalf("%q, then %q", out, again)
		}
	})
}
