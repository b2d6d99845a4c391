// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// named is a topic that has a name and nothing else.
type named struct {
	table.Output
	name string
}

func (n *named) Status() health.TopicStatus { return health.TopicStatus{Name: n.name} }

// The list holds the outputs that were added and not removed, in order of addition.
func TestOfferedIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list offered
		var model []string
		var all []table.Output
		for i := range 12 {
			o := &named{name: strconv.Itoa(i)}
			if rapid.Bool().Draw(t, "remove") && len(all) > 0 {
				at := rapid.IntRange(0, len(all)-1).Draw(t, "which")
				list.remove(all[at : at+1])
				list.remove(all[at : at+1]) // once more does nothing
				model, all = slices.Delete(model, at, at+1), slices.Delete(slices.Clone(all), at, at+1)
			}
			list.add([]table.Output{o})
			model, all = append(model, o.name), append(all, o)
		}
		got := list.statuses([]health.TopicStatus{{Name: "before"}})
		if len(got) != len(model)+1 || got[0].Name != "before" {
			t.Fatalf("%d topics after the one before, want %d", len(got)-1, len(model))
		}
		for i, name := range model {
			if got[i+1].Name != name {
				t.Errorf("topic %d is %s, want %s", i, got[i+1].Name, name)
			}
		}
	})
}

// Outputs are added and removed concurrently with reads.
func TestOfferedFromManyGoroutines(t *testing.T) {
	var list offered
	list.add([]table.Output{&named{name: "always"}})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			mine := []table.Output{&named{name: "a"}, &named{name: "b"}}
			for range 200 {
				list.add(mine)
				if got := list.statuses(nil); len(got) < 3 || got[0].Name != "always" {
					t.Errorf("%+v", got)
				}
				list.remove(mine)
			}
		})
	}
	all.Wait()
	if got := list.statuses(nil); len(got) != 1 {
		t.Errorf("%+v are left", got)
	}
}
