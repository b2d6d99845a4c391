// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func literature(t testing.TB) Parameters {
	t.Helper()
	p, err := Literature()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEveryParameterIsUsedAndThere: a parameter that nothing is multiplied with is a promise that is not kept.
func TestEveryParameterIsUsedAndThere(t *testing.T) {
	p := literature(t)
	used := map[string]bool{"core": true, "kernel_call": true, "power_idle": true, "power_core": true, "power_radio": true, "energy_sent": true,
		"power_camera": true}
	for _, name := range perEvent {
		used[name] = true
	}
	for _, name := range perCall {
		used[name] = true
	}
	for name, v := range p.Parameters {
		if !used[name] || v.Unit == "" || v.Source == "" {
			t.Errorf("%s: used %v, %+v", name, used[name], v)
		}
		delete(used, name)
	}
	if len(used) > 0 {
		t.Errorf("not there: %v", used)
	}
	if !strings.Contains(p.Source, "literature") {
		t.Errorf("%q does not say that nothing was measured", p.Source)
	}
}

// TestEveryEventHasAPriceOrNone: the plugin's names and those that are priced are the same.
func TestEveryEventHasAPriceOrNone(t *testing.T) {
	text, err := os.ReadFile("plugin/events.h")
	if err != nil {
		t.Fatal(err)
	}
	// What they take is in cycles; what is sent takes energy alone.
	free := map[string]bool{"instructions": true, "loads": true, "stores": true, "sent": true}
	_, list, _ := strings.Cut(string(text), "event_names[EVENTS]")
	names := regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(list, -1)
	if len(names) != len(perEvent)+len(free) {
		t.Errorf("%d events, %d with a price", len(names), len(perEvent))
	}
	for _, n := range names {
		if perEvent[n[1]] == "" && !free[n[1]] {
			t.Errorf("%s has no price", n[1])
		}
	}
}

func TestEstimate(t *testing.T) {
	e := literature(t).Of(Counts{map[string]float64{"instructions": 1e6, "cycles": 1.2e6, "load_misses": 1e4}, map[int]float64{SysClock64: 10, 4: 1}})
	near := func(what string, got, want Interval) {
		t.Helper()
		for _, d := range []float64{got.Low - want.Low, got.Likely - want.Likely, got.High - want.High} {
			if math.Abs(d) > 1e-9*want.High {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
	}
	kernel := Interval{10*500 + 1000, 10*800 + 2500, 10*1500 + 4000}
	want := Interval{0.97 * 1.2e6, 1.2e6, 1.1 * 1.2e6}.Plus(Interval{36e4, 44e4, 52e4}).Plus(kernel)
	near("kernel", e.Kernel, kernel)
	near("cycles", e.Cycles, want)
	near("seconds", e.Seconds, want.Times(1e-9))
	near("share", e.Share(0.1), want.Times(1e-8))
	if e.Instructions != 1e6 || len(e.Parts) != 4 || e.Parts[0].Parameter != "load_miss" || e.Parts[1].Parameter != "pipeline" {
		t.Errorf("%+v: the widest come first", e)
	}
	board, processor := literature(t).Energy(e, 10, Load{Radio: true, Camera: true, Sent: 1e6})
	near("processor", processor, Interval{0.2 * want.Low * 1e-9, 0.255 * want.Likely * 1e-9, 0.3 * want.High * 1e-9})
	near("board", board, Interval{4 + 1 + 3.75 + 0.1, 4.25 + 1.25 + 4.4 + 0.16, 4.5 + 1.5 + 5 + 0.22}.Plus(processor))
	if bare, _ := literature(t).Energy(e, 10, Load{}); bare.High >= 4.6 {
		t.Errorf("%v J without radio and camera", bare)
	}
}

func TestParseParameters(t *testing.T) {
	p, err := ParseParameters([]byte(`{"source": "a robot", "parameters": {"load_miss": {"low": 1, "likely": 2, "high": 3}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Source != "a robot" || p.Parameters["load_miss"].Likely != 2 || p.Parameters["core"].Likely != 1e9 {
		t.Errorf("%+v", p)
	}
	for _, bad := range []string{"", "[]", `{"sauce": ""}`, `{"parameters": {"load_mist": {"low": 1, "likely": 2, "high": 3}}}`,
		`{"parameters": {"load_miss": {"low": 2, "likely": 1, "high": 3}}}`, `{"parameters": {"load_miss": {"low": -2, "likely": 1, "high": 3}}}`,
		`{"parameters": {"core": {"low": 0, "likely": 1, "high": 3}}}`} {
		if _, err := ParseParameters([]byte(bad)); !errors.Is(err, errParameters) {
			t.Errorf("%s: %v, want %v", bad, err, errParameters)
		}
	}
	file := filepath.Join(t.TempDir(), "p.json")
	if _, err := ReadParameters(file); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadParameters(file); !errors.Is(err, errParameters) || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
}

// FuzzParseParameters begins with a small file: Go shortens each input that finds new code, which is an execution for
// every few bytes of it, and what is in the shipped file finds none that these do not.
func FuzzParseParameters(f *testing.F) {
	base, err := Literature()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"parameters": {"core": {"low": 7e8, "likely": 1e9, "high": 1e9}}}`))
	f.Add([]byte(`{"source": "x", "parameters": {"load_miss": {"low": 0, "likely": 1, "high": 2}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parse(data, base.Parameters) // ParseParameters reads the shipped file, too, each time
		if err != nil {
			return
		}
		e := p.Of(Counts{map[string]float64{"cycles": 1000, "load_misses": 3}, map[int]float64{4: 1}})
		if !(e.Cycles.Low <= e.Cycles.Likely && e.Cycles.Likely <= e.Cycles.High && e.Seconds.Low <= e.Seconds.High) {
			t.Errorf("%+v", e)
		}
	})
}
