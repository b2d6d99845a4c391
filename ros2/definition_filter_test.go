// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestDefinitionFilter: the messages of a publisher that announces another definition are dropped and counted, and the
// publisher is reported once, also after the expected definition has changed; those of publishers that announce none or
// are not known are accepted.
func TestDefinitionFilter(t *testing.T) {
	n := ros2test.NewNetwork()
	tr := n.NewTransport()
	defer tr.Close()
	gid := func(hash string) ros2.GID {
		w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/x", Type: "p/msg/T", TypeHash: hash}})
		if err != nil {
			t.Fatal(err)
		}
		return w.GID()
	}
	ours, other, humble := gid("ours"), gid("other"), gid("")
	var reported []string
	f := ros2.NewDefinitionFilter(tr, "/x", "p/msg/T", "ours", func(p ros2.EndpointInfo) { reported = append(reported, p.TypeHash) })
	want := func(when string, accepted ...ros2.GID) {
		t.Helper()
		for name, publisher := range map[string]ros2.GID{"ours": ours, "other": other, "humble": humble, "unknown": {9}, "none": {}} {
			for range 20 { // an unknown publisher is not looked up for each message
				if got := f.Accepts(publisher); got != (slices.Contains(accepted, publisher)) {
					t.Fatalf("%s: %s accepted: %t", when, name, got)
				}
			}
		}
	}
	want("ours", ours, humble, ros2.GID{9}, ros2.GID{})
	f.SetHash("other")
	want("other", other, humble, ros2.GID{9}, ros2.GID{})
	f.SetHash("ours")
	want("ours again", ours, humble, ros2.GID{9}, ros2.GID{})
	f.SetHash("")
	want("any", ours, other, humble, ros2.GID{9}, ros2.GID{})
	if !slices.Equal(reported, []string{"other", "ours"}) || f.Dropped() != 60 {
		t.Errorf("reported %q, dropped %d", reported, f.Dropped())
	}
}
