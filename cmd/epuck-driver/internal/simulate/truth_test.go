// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// crowd is a world of so many robots.
func crowd(t *testing.T, name string) []sim.Robot {
	t.Helper()
	w, err := sim.LoadWorld(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Robots()
}

func TestTruthsHaveAFileEach(t *testing.T) {
	for _, c := range []struct {
		world, file string
		want        []string
	}{
		{"arena", "a/truth.json", []string{"a/truth.json"}},
		{"swarm", "a/truth.json", []string{"a/truth-epuck1.json", "a/truth-epuck2.json", "a/truth-epuck3.json"}},
		{"swarm", "a.b/truth", []string{"a.b/truth-epuck1", "a.b/truth-epuck2", "a.b/truth-epuck3"}},
		{"swarm", "", []string{"", "", ""}},
	} {
		o := &simOptions{truth: c.file}
		if got := o.groundTruthFiles(crowd(t, c.world)); !slices.Equal(got, c.want) {
			t.Errorf("%s, %q: %q, want %q", c.world, c.file, got, c.want)
		}
	}
}

// Every file is there when the work has ended, and each is of its own robot; the work runs once.
func TestTruthsOfSeveralRobots(t *testing.T) {
	folder, calls := t.TempDir(), 0
	o := &simOptions{truth: filepath.Join(folder, "truth.json")}
	if err := o.withTruths(t.Context(), crowd(t, "swarm"), func(context.Context) error { calls++; return nil }); err != nil || calls != 1 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	for robot, x := range map[string]float64{"epuck1": 0.3, "epuck2": -0.3, "epuck3": 0} {
		data, err := os.ReadFile(filepath.Join(folder, "truth-"+robot+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var r groundtruth.Record
		if err := json.Unmarshal(data, &r); err != nil || r.Robot != robot || r.X != x {
			t.Errorf("%s: %+v, %v", robot, r, err)
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 3 {
		t.Errorf("%v, %v", files, err)
	}
}

// One file that cannot be written ends the work, and its error and the work's own come out; without robots nothing is
// written.
func TestTruthsThatFail(t *testing.T) {
	broken := errors.New("broken")
	o := &simOptions{truth: "/no/such/folder/truth.json"}
	err := o.withTruths(t.Context(), crowd(t, "swarm"), func(ctx context.Context) error {
		<-ctx.Done()
		return broken
	})
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if err := o.withTruths(t.Context(), nil, func(context.Context) error { return nil }); err != nil {
		t.Errorf("no robots: %v", err)
	}
	o.truth = ""
	if err := o.withTruths(t.Context(), crowd(t, "swarm"), func(context.Context) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
