// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// table returns an empty table with the arguments' overrides for /r/n.
func table(t testing.TB, line string) *ros2.Parameters {
	t.Helper()
	return ros2.NewParameters(parse(t, line), ros2.NodeName{Namespace: "/r", Name: "n"})
}

func declare(t testing.TB, p *ros2.Parameters, ds ...ros2.ParameterDescriptor) {
	t.Helper()
	for _, d := range ds {
		if _, err := p.Declare(d); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDeclareTakesOverrides(t *testing.T) {
	p := table(t, "--ros-args -p rate:=20 -p bus:=12 -p n:gain:=2 -p m:gain:=3 -p /r/n:gains:=[1,2] -p rotation:=[] -p typo:=1")
	for _, c := range []struct {
		d    ros2.ParameterDescriptor
		want string
	}{
		{ros2.ParameterDescriptor{Name: "rate", Default: ros2.DoubleValue(5)}, "20.0"},
		{ros2.ParameterDescriptor{Name: "bus", Default: ros2.StringValue("auto")}, `"12"`},
		{ros2.ParameterDescriptor{Name: "gain", Default: ros2.IntegerValue(1)}, "1"}, // /n and /m are other nodes
		{ros2.ParameterDescriptor{Name: "gains", Type: ros2.ParameterDoubleArray}, "[1.0, 2.0]"},
		{ros2.ParameterDescriptor{Name: "rotation", Default: ros2.DoubleArrayValue([]float64{1})}, "[]"},
		{ros2.ParameterDescriptor{Name: "unset", Type: ros2.ParameterBool}, "null"},
	} {
		if v, err := p.Declare(c.d); err != nil || v.String() != c.want {
			t.Errorf("%s = %v, %v; want %s", c.d.Name, v, err, c.want)
		}
	}
	if got := p.UnusedOverrides(); !slices.Equal(got, []string{"typo"}) {
		t.Errorf("unused overrides %q", got)
	}
}

func TestDeclareErrors(t *testing.T) {
	p := table(t, "--ros-args -p rate:=fast -p speed:=9 -p mode:='x'")
	refuse := errors.New("not today")
	p.OnSet(func(ps []ros2.Parameter) error {
		if ps[0].Name == "refused" {
			return refuse
		}
		return nil
	})
	declare(t, p, ros2.ParameterDescriptor{Name: "twice", Default: ros2.BoolValue(true)})
	for _, c := range []struct {
		d    ros2.ParameterDescriptor
		want error
		text string
	}{
		{ros2.ParameterDescriptor{Name: "", Default: ros2.BoolValue(true)}, ros2.ErrInvalidName, "empty"},
		{ros2.ParameterDescriptor{Name: "a b", Default: ros2.BoolValue(true)}, ros2.ErrInvalidName, "character 2"},
		{ros2.ParameterDescriptor{Name: "none"}, ros2.ErrParameterType, "none"},
		{ros2.ParameterDescriptor{Name: "twice", Default: ros2.BoolValue(true)}, ros2.ErrAlreadyDeclared, "twice"},
		{ros2.ParameterDescriptor{Name: "rate", Default: ros2.DoubleValue(1)}, ros2.ErrParameterType, "-p rate:=fast"},
		{ros2.ParameterDescriptor{Name: "speed", Default: ros2.DoubleValue(1), FloatRange: ros2.FloatBetween(0, 5)}, ros2.ErrParameterRange, "-p speed:=9"},
		{ros2.ParameterDescriptor{Name: "mode", Default: ros2.StringValue("a"), OneOf: []string{"a"}}, ros2.ErrParameterRange, "mode"},
		{ros2.ParameterDescriptor{Name: "d", Default: ros2.IntegerValue(7), IntegerRange: ros2.IntegerBetween(0, 5)}, ros2.ErrParameterRange, "default"},
		{ros2.ParameterDescriptor{Name: "d", Type: ros2.ParameterBool, Default: ros2.IntegerValue(7)}, ros2.ErrParameterType, "d"},
		{ros2.ParameterDescriptor{Name: "refused", Default: ros2.BoolValue(true)}, refuse, "not today"},
	} {
		if _, err := p.Declare(c.d); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("declare %q: %v, want %v with %q", c.d.Name, err, c.want, c.text)
		}
	}
	if got := p.All(); len(got) != 1 {
		t.Errorf("declared in spite of errors: %v", got)
	}
}

func TestSetIsAtomic(t *testing.T) {
	p := table(t, "")
	declare(t, p,
		ros2.ParameterDescriptor{Name: "a", Default: ros2.DoubleValue(1), FloatRange: ros2.FloatBetween(0, 10)},
		ros2.ParameterDescriptor{Name: "b", Default: ros2.StringValue("x")},
		ros2.ParameterDescriptor{Name: "fixed", Default: ros2.BoolValue(true), ReadOnly: true})
	var events []ros2.ParameterEvent
	p.OnChange(func(e ros2.ParameterEvent) { events = append(events, e) })
	cancel := p.OnSet(func(ps []ros2.Parameter) error {
		for _, one := range ps {
			if one.Value.Str() == "bad" {
				return fmt.Errorf("%s must not be bad", one.Name)
			}
		}
		return nil
	})
	good := ros2.Parameter{Name: "a", Value: ros2.DoubleValue(2)}
	for _, c := range []struct {
		name  string
		value ros2.ParameterValue
		want  error
	}{
		{"none", ros2.DoubleValue(1), ros2.ErrNotDeclared},
		{"fixed", ros2.BoolValue(false), ros2.ErrReadOnly},
		{"a", ros2.IntegerValue(3), ros2.ErrParameterType},
		{"a", ros2.DoubleValue(11), ros2.ErrParameterRange},
		{"b", ros2.StringValue("bad"), ros2.ErrRefused},
	} {
		err := p.SetAtomically(good, ros2.Parameter{Name: c.name, Value: c.value})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("set %s = %v: %v, want %v", c.name, c.value, err, c.want)
		}
		if v, _ := p.Get("a"); v.Double() != 1 {
			t.Fatalf("half applied: a = %v", v)
		}
	}
	if len(events) != 0 {
		t.Errorf("events of refused changes: %v", events)
	}
	errs := p.Set(good, ros2.Parameter{Name: "b", Value: ros2.StringValue("bad")})
	if v, _ := p.Get("a"); errs[0] != nil || errs[1] == nil || v.Double() != 2 || len(events) != 1 {
		t.Errorf("one by one: %v, a = %v, %d events", errs, v, len(events))
	}
	cancel()
	if err := p.SetAtomically(ros2.Parameter{Name: "b", Value: ros2.StringValue("bad")}); err != nil {
		t.Errorf("a cancelled validator was asked: %v", err)
	}
}

func TestSetTwiceInOneCall(t *testing.T) {
	p := table(t, "")
	declare(t, p, ros2.ParameterDescriptor{Name: "a", Default: ros2.IntegerValue(0)}, ros2.ParameterDescriptor{Name: "b", Default: ros2.IntegerValue(0)})
	var changed []ros2.Parameter
	p.OnChange(func(e ros2.ParameterEvent) { changed = append(changed, e.Changed...) })
	in := []ros2.Parameter{{"a", ros2.IntegerValue(1)}, {"b", ros2.IntegerValue(2)}, {"a", ros2.IntegerValue(3)}}
	if err := p.SetAtomically(in...); err != nil {
		t.Fatal(err)
	}
	if len(changed) != 2 || changed[0].Value.Integer() != 3 || changed[1].Value.Integer() != 2 {
		t.Errorf("changed %v", changed)
	}
	if err := p.SetAtomically(); err != nil || len(changed) != 2 {
		t.Errorf("an empty change: %v, %v", err, changed)
	}
}

func TestUndeclareAndDescribe(t *testing.T) {
	p := table(t, "")
	declare(t, p, ros2.ParameterDescriptor{Name: "a", Default: ros2.IntegerValue(4), Description: "an a"},
		ros2.ParameterDescriptor{Name: "ro", Default: ros2.IntegerValue(4), ReadOnly: true})
	if d, err := p.Describe("a"); err != nil || d.Description != "an a" || d.Type != ros2.ParameterInteger {
		t.Errorf("%+v, %v", d, err)
	}
	var deleted []ros2.Parameter
	p.OnChange(func(e ros2.ParameterEvent) { deleted = append(deleted, e.Deleted...) })
	err1, err2, err3 := p.Undeclare("a"), p.Undeclare("a"), p.Undeclare("ro")
	if err1 != nil || !errors.Is(err2, ros2.ErrNotDeclared) || !errors.Is(err3, ros2.ErrReadOnly) {
		t.Errorf("undeclare: %v, %v, %v", err1, err2, err3)
	}
	if len(deleted) != 1 || deleted[0].Value.Integer() != 4 {
		t.Errorf("deleted %v", deleted)
	}
	_, err1 = p.Get("a")
	_, err2 = p.Describe("a")
	if !errors.Is(err1, ros2.ErrNotDeclared) || !errors.Is(err2, ros2.ErrNotDeclared) {
		t.Errorf("after undeclare: %v, %v", err1, err2)
	}
}

func TestListParameters(t *testing.T) {
	p := table(t, "")
	for _, name := range []string{"rate", "camera.width", "camera.height", "camera.lens.f", "cameras"} {
		declare(t, p, ros2.ParameterDescriptor{Name: name, Default: ros2.IntegerValue(0)})
	}
	for _, c := range []struct {
		prefixes []string
		depth    int
		names    string
		parents  string
	}{
		{nil, 0, "camera.height camera.lens.f camera.width cameras rate", "camera camera.lens"},
		{nil, 1, "cameras rate", ""},
		{nil, 2, "camera.height camera.width cameras rate", "camera"},
		{[]string{"camera"}, 0, "camera.height camera.lens.f camera.width", "camera camera.lens"},
		{[]string{"camera"}, 1, "camera.height camera.width", "camera"},
		{[]string{"rate", "camera.lens"}, 1, "camera.lens.f rate", "camera.lens"},
		{[]string{"none"}, 0, "", ""},
	} {
		names, parents := p.List(c.prefixes, c.depth)
		if strings.Join(names, " ") != c.names || strings.Join(parents, " ") != c.parents {
			t.Errorf("list %q to depth %d: %q, %q; want %q, %q", c.prefixes, c.depth, names, parents, c.names, c.parents)
		}
	}
}

// Readers, also validators, see all of an atomic change or nothing of it.
func TestParametersConcurrently(t *testing.T) {
	p := table(t, "")
	declare(t, p, ros2.ParameterDescriptor{Name: "a", Default: ros2.IntegerValue(0)}, ros2.ParameterDescriptor{Name: "b", Default: ros2.IntegerValue(0)})
	p.OnSet(func(ps []ros2.Parameter) error { _, err := p.Get("a"); return err })
	sum := 0               // observers run one at a time
	var under atomic.Int64 // running changes: more than 64 queued ones are merged
	p.OnChange(func(e ros2.ParameterEvent) { sum++; under.Add(-1) })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 100 {
				for under.Add(1) > 50 {
					under.Add(-1)
					runtime.Gosched()
				}
				v := ros2.IntegerValue(int64(i))
				if err := p.SetAtomically(ros2.Parameter{"a", v}, ros2.Parameter{"b", v}); err != nil {
					t.Error(err)
				}
				all := p.All()
				if !all[0].Value.Equal(all[1].Value) {
					t.Errorf("half a change seen: %v", all)
				}
			}
		})
	}
	wg.Wait()
	if sum != 400 {
		t.Errorf("%d events, want 400", sum)
	}
}

// However parameters are set, a value is always one that its declaration allows, and rejected changes change nothing.
func TestParametersProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ros2.NewParameters(ros2.Args{}, ros2.NodeName{Namespace: "/", Name: "n"})
		d := ros2.ParameterDescriptor{Name: "x", Default: ros2.IntegerValue(0), IntegerRange: ros2.IntegerBetween(-5, 5)}
		if _, err := p.Declare(d); err != nil {
			t.Fatal(err)
		}
		model := int64(0)
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			v := rapid.Int64Range(-10, 10).Draw(t, "v")
			if err := p.SetAtomically(ros2.Parameter{Name: "x", Value: ros2.IntegerValue(v)}); err == nil {
				model = v
			}
			if got, _ := p.Get("x"); got.Integer() != model || model < -5 || model > 5 {
				t.Fatalf("x = %v after setting %d, want %d", got, v, model)
			}
		}
	})
}

// The value "not set" removes a parameter with dynamic typing, atomically with other changes; one with a fixed type
// stays.
func TestSetNotSetDeletes(t *testing.T) {
	node, err := ros2.Args{}.NodeName("n", "")
	if err != nil {
		t.Fatal(err)
	}
	params := ros2.NewParameters(ros2.Args{}, node)
	declare(t, params,
		ros2.ParameterDescriptor{Name: "loose", Default: ros2.IntegerValue(1), DynamicTyping: true},
		ros2.ParameterDescriptor{Name: "typed", Default: ros2.IntegerValue(2)},
	)
	var events []ros2.ParameterEvent
	params.OnChange(func(e ros2.ParameterEvent) { events = append(events, e) })
	none := ros2.ParameterValue{}
	err = params.SetAtomically(ros2.Parameter{Name: "loose", Value: none}, ros2.Parameter{Name: "typed", Value: none})
	if !errors.Is(err, ros2.ErrParameterType) || !strings.Contains(err.Error(), "statically typed") || len(params.All()) != 2 {
		t.Errorf("one of them typed: %v", err)
	}
	if err := params.SetAtomically(ros2.Parameter{Name: "loose", Value: none}, ros2.Parameter{Name: "typed", Value: ros2.IntegerValue(3)}); err != nil {
		t.Error(err)
	}
	if len(events) != 1 || len(events[0].Deleted) != 1 || events[0].Deleted[0].Name != "loose" || len(events[0].Changed) != 1 || len(events[0].New) != 0 {
		t.Errorf("events %+v", events)
	}
	if _, err := params.Get("loose"); !errors.Is(err, ros2.ErrNotDeclared) {
		t.Errorf("still there: %v", err)
	}
}

// A value that becomes the default again, or differs from it by the sign of zero only, is what was set.
func TestParametersReturnExactlyWhatWasSet(t *testing.T) {
	p := ros2.NewParameters(ros2.Args{}, ros2.NodeName{Name: "n"})
	declare(t, p, ros2.ParameterDescriptor{Name: "x", Default: ros2.DoubleValue(0)},
		ros2.ParameterDescriptor{Name: "list", Default: ros2.DoubleArrayValue([]float64{1, 2})})
	for _, v := range []float64{1, 0, math.Copysign(0, -1), 0} {
		if errs := p.Set(ros2.Parameter{Name: "x", Value: ros2.DoubleValue(v)}); errs[0] != nil {
			t.Fatal(errs[0])
		}
		if got, err := p.Get("x"); err != nil || math.Float64bits(got.Double()) != math.Float64bits(v) {
			t.Errorf("x = %v, %v after it was set to %v", got, err, v)
		}
	}
	for _, v := range [][]float64{{3}, {1, 2}} {
		if errs := p.Set(ros2.Parameter{Name: "list", Value: ros2.DoubleArrayValue(v)}); errs[0] != nil {
			t.Fatal(errs[0])
		}
		if got, err := p.Get("list"); err != nil || !got.Equal(ros2.DoubleArrayValue(v)) {
			t.Errorf("list = %v, %v after it was set to %v", got, err, v)
		}
	}
}
