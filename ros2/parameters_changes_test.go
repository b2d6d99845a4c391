// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"maps"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// table declares integer parameters.
func table(t *testing.T, names ...string) *Parameters {
	t.Helper()
	p := NewParameters(Args{}, NodeName{Name: "n"})
	for _, name := range names {
		if _, err := p.Declare(ParameterDescriptor{Name: name, Default: IntegerValue(0)}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func setInteger(t *testing.T, p *Parameters, name string, v int64) {
	t.Helper()
	if err := p.SetAtomically(Parameter{name, IntegerValue(v)}); err != nil {
		t.Fatal(err)
	}
}

// A blocked observer delays no change: the values are set, and reported in order once it returns, many of them merged.
func TestBlockedObserverDelaysNoChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := table(t, "a")
		block := make(chan struct{})
		events := 0
		var last int64
		p.OnChange(func(e ParameterEvent) {
			<-block
			events++
			if v := e.Changed[0].Value.Integer(); v <= last {
				t.Errorf("%d was reported after %d", v, last)
			} else {
				last = v
			}
		})
		go func() {
			if err := p.SetAtomically(Parameter{"a", IntegerValue(1)}); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		for i := range int64(1000) {
			setInteger(t, p, "a", 2+i)
		}
		if v, err := p.Get("a"); err != nil || v.Integer() != 1001 {
			t.Errorf("a = %v, %v", v, err)
		}
		close(block)
		synctest.Wait()
		if events != 1+maxQueuedChanges || last != 1001 {
			t.Errorf("%d events, the last value %d", events, last)
		}
	})
}

// An observer may change and declare parameters, as creating a subscription with overrides does.
func TestObserverMayChangeAndDeclare(t *testing.T) {
	p := table(t, "a", "b")
	var order []string
	p.OnChange(func(e ParameterEvent) {
		for _, c := range e.Changed {
			order = append(order, c.Name)
			if c.Name == "a" {
				setInteger(t, p, "b", c.Value.Integer())
				if _, err := p.Declare(ParameterDescriptor{Name: "c", Default: IntegerValue(0)}); err != nil {
					t.Error(err)
				}
				order = append(order, "end of a")
			}
		}
		for _, c := range e.New {
			order = append(order, "new "+c.Name)
		}
	})
	setInteger(t, p, "a", 7)
	want := []string{"a", "end of a", "b", "new c"}
	if len(order) != len(want) {
		t.Fatalf("observed %q, want %q", order, want)
	}
	for i := range want {
		if order[i] != want[i] {
			t.Errorf("observed %q, want %q", order, want)
		}
	}
}

// The table works after an observer's panic.
func TestPanicOfAnObserver(t *testing.T) {
	p := table(t, "a")
	cancel := p.OnChange(func(ParameterEvent) { panic("observer") })
	func() {
		defer func() { _ = recover() }()
		setInteger(t, p, "a", 1)
	}()
	cancel()
	heard := 0
	p.OnChange(func(ParameterEvent) { heard++ })
	setInteger(t, p, "a", 2)
	if heard != 1 {
		t.Errorf("%d changes reported after the panic", heard)
	}
}

// Merged events have the effect of the single ones.
func TestEventThenProperty(t *testing.T) {
	apply := func(m map[string]int64, e ParameterEvent) error {
		for _, p := range e.Deleted {
			if _, ok := m[p.Name]; !ok {
				return errors.New("deleted what was not there: " + p.Name)
			}
			delete(m, p.Name)
		}
		for _, p := range e.New {
			if _, ok := m[p.Name]; ok {
				return errors.New("new although it was there: " + p.Name)
			}
			m[p.Name] = p.Value.Integer()
		}
		for _, p := range e.Changed {
			if _, ok := m[p.Name]; !ok {
				return errors.New("changed what was not there: " + p.Name)
			}
			m[p.Name] = p.Value.Integer()
		}
		return nil
	}
	rapid.Check(t, func(t *rapid.T) {
		start := map[string]int64{"a": 0, "b": 0}
		single := maps.Clone(start)
		var merged ParameterEvent
		for i := range rapid.IntRange(1, 12).Draw(t, "changes") {
			var e ParameterEvent
			name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
			one := []Parameter{{name, IntegerValue(int64(i + 1))}}
			_, there := single[name]
			switch {
			case !there:
				e.New = one
			case rapid.Bool().Draw(t, "delete"):
				e.Deleted = one
			default:
				e.Changed = one
			}
			if err := apply(single, e); err != nil {
				t.Fatal(err)
			}
			merged = merged.then(e)
		}
		if err := apply(start, merged); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(start, single) {
			t.Fatalf("merged %v, want %v", start, single)
		}
	})
}
