// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestSettingsAreAsIfTheFileHadThem: a world with settings equals the world whose file has their values.
func TestSettingsAreAsIfTheFileHadThem(t *testing.T) {
	for _, c := range []struct {
		file, edited string
		settings     []string
	}{
		{"robots: [{name: r}]", "robots: [{name: r, level: functional}]", []string{"robots[0].level=functional"}},
		{"robots: [{name: r}]", "robots: [{name: r, level: functional}]", []string{"world.robots[r].level=functional"}},
		{"robots: [{name: a}, {name: b}]", "robots: [{name: a, imu: none}, {name: b, imu: none}]", []string{"robots[*].imu=none"}},
		{"robots: [{name: r}]", "robots: [{name: r}]\narena: {size: [2, 3]}", []string{"arena.size=[2, 3]"}},
		{"robots: [{name: r}]", "robots: [{name: r, battery: {charge: 0.5}}]", []string{"robots[0].battery.charge=0.5"}},
		{"robots: [{name: r, position: [1, 2]}]", "robots: [{name: r, position: [1, 3]}]", []string{"robots[0].position[1]=3"}},
		{"robots: [{name: r, imu: none}]", "robots: [{name: r}]", []string{"robots[0].imu="}},
		{"robots: [{name: r}]\narena: {size: [2, 3]}", "robots: [{name: r}]", []string{"arena="}},
		{"robots: [{name: r}]", "robots: [{name: r, without: [tof, ground]}]", []string{"robots[0].without=[tof, ground]"}},
		{"robots: [&a {name: a}, {<<: *a, name: b}]", "robots: [{name: a, imu: none}, {name: b}]", []string{"robots[0].imu=none"}},
		{"robots: [&a {name: a, battery: {charge: 0.1}}, {<<: *a, name: b}]",
			"robots: [{name: a, battery: {charge: 0.1}}, {name: b, battery: {charge: 0.2}}]", []string{"robots[b].battery.charge=0.2"}},
		{"robots: [{name: r}]", "robots: [{name: r, yaw: 2}]", []string{"robots[0].yaw=1", "robots[0].yaw=2"}},
	} {
		got, err := world.Parse([]byte(c.file), c.settings...)
		if err != nil {
			t.Errorf("%s with %q: %v", c.file, c.settings, err)
			continue
		}
		want, err := world.Parse([]byte(c.edited))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s with %q:\n%+v, want\n%+v", c.file, c.settings, got, want)
		}
	}
}

// TestSettingErrorsNameSettingAndColumn: errors in settings have the form of errors in files: number of the setting,
// column, path, and what may have been meant.
func TestSettingErrorsNameSettingAndColumn(t *testing.T) {
	for _, c := range []struct {
		settings []string
		want     string
	}{
		{[]string{"robots[0].levle=functional"}, "world: --set:1:11: robots[0].levle: there is no such field; did you mean 'level'?"},
		{[]string{"robots[0].yaw=1", "world.aren.size=[1, 1]"}, "world: --set:2:7: aren: there is no such field; did you mean 'arena'?"},
		{[]string{"robots[0].yaw=left"}, `world: --set:1:15: robots[0].yaw: must be a number, is "left"`},
		{[]string{"robots[0].level=best"}, `world: --set:1:17: robots[0].level: must be one of`},
		{[]string{"arena.size=[1, 0]"}, "world: --set:1:16: arena.size[1]: must be over 0"},
		{[]string{"arena.size=[1]"}, "world: --set:1:12: arena.size: must be a list of 2 numbers"},
		{[]string{"robots[1].yaw=1"}, "world: --set:1:7: robots[1]: there are 1, counted from 0"},
		{[]string{"robots[epukc].yaw=1"}, "world: --set:1:7: robots[epukc]: there are 1, counted from 0; did you mean 'epuck'?"},
		{[]string{"boxes[0].yaw=1"}, "world: --set:1:6: boxes[0]: the world has no boxes"},
		{[]string{"robots.yaw=1"}, "world: --set:1:8: robots.yaw: robots has no fields"},
		{[]string{"name[0]=1"}, "world: --set:1:5: name[0]: name is no list"},
		{[]string{"robots[0]="}, "world: --set:1:7: robots[0]: must not be empty"},
		{[]string{"robots[0.yaw=1"}, "world: --set:1:7: robots[0.yaw: the bracket is not closed"},
		{[]string{"arena"}, `world: --set:1:1: "arena": must be KEY=VALUE`},
		{[]string{"=1"}, `world: --set:1:1: "": the name of a field is missing`},
		{[]string{"arena.=1"}, "world: --set:1:6: "},
		{[]string{"arena..size=1"}, "world: --set:1:7: "},
		{[]string{"arena.size=[1,"}, "world: --set:1:12: arena.size: "},
		{[]string{"robots="}, "world: w.yaml:1:1: robots: 0 robots"},
	} {
		_, err := world.LoadFS(fstest.MapFS{"w.yaml": {Data: []byte("name: x\nrobots: [{name: epuck}]")}}, "w.yaml", c.settings...)
		if !errors.Is(err, world.ErrWorld) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\n%v, want\n%s", c.settings, err, c.want)
		}
	}
}

// TestCompleteSetting: the beginning of a key is completed by the fields that may follow.
func TestCompleteSetting(t *testing.T) {
	for typed, want := range map[string]string{
		"ar": "arena", "arena.s": "arena.size", "world.arena.c": "world.arena.center world.arena.color",
		"robots": "robots", "robots[": "robots[*]", "robots[0]": "robots[0].", "robots[*].le": "robots[*].level",
		"robots[a].battery.": "robots[a].battery.capacity robots[a].battery.charge", "robots[0].im": "robots[0].imu",
		"floor.lines[0].c": "floor.lines[0].closed", "x": "", "x.y": "", "arena.size=": "", "arena.size[0": "", "range_and_bearing.l": "range_and_bearing.loss",
	} {
		if got := strings.Join(world.CompleteSetting(typed), " "); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	if n := len(world.CompleteSetting("")); n < 10 {
		t.Errorf("%d fields", n)
	}
}

// FuzzSettings: any setting gives a world that is valid, or an error that is ErrWorld.
func FuzzSettings(f *testing.F) {
	for _, s := range []string{"robots[0].level=functional", "arena.size=[1, 1]", "robots[*].battery.charge=1", "floor=", "a[b].c={d: [e]}", "world.name=&a [*a]"} {
		f.Add(s)
	}
	text, err := world.ExampleSource("line")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, setting string) {
		for _, key := range world.CompleteSetting(setting) {
			if !strings.HasPrefix(key, setting) {
				t.Fatalf("%q is completed by %q", setting, key)
			}
		}
		w, err := world.Parse(text, setting)
		switch {
		case err != nil && (w != nil || !errors.Is(err, world.ErrWorld)):
			t.Fatalf("%v, %v", w, err)
		case err == nil && w.Check() != nil:
			t.Fatalf("parsed, but %v", w.Check())
		}
	})
}
