// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simclient

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestSpawnAsksByNameOrText: sim spawn --robot asks by a name, or sends the file's text.
func TestSpawnAsksByNameOrText(t *testing.T) {
	const text = `<robot name="mine"><link name="a"/></robot>`
	file := filepath.Join(t.TempDir(), "mine.urdf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{"": {"firmware", ""}, "thymio": {"thymio2", ""}, file: {"", text}} {
		q := si.SpawnEntityRequest{Uri: "firmware"}
		if err := (&spawnModel{name}).into(&q); err != nil || q.Uri != want[0] || q.ResourceString != want[1] {
			t.Errorf("%q: %q %q, %v", name, q.Uri, q.ResourceString, err)
		}
	}
	if err := (&spawnModel{"none.urdf"}).into(new(si.SpawnEntityRequest)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestSpawnedRobotIsAtTheNodeOfItsDescription: the one asked for, or the one that the simulation names.
func TestSpawnedRobotIsAtTheNodeOfItsDescription(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "mine.urdf")
	if err := os.WriteFile(mine, []byte(`<robot name="My Robot"><link name="a"/></robot>`), 0o600); err != nil {
		t.Fatal(err)
	}
	describes := func(model string, tags ...string) func() (*si.GetEntityInfoResponse, error) {
		return func() (*si.GetEntityInfoResponse, error) {
			return &si.GetEntityInfoResponse{Info: si.EntityInfo{Description: model, Tags: tags}}, nil
		}
	}
	none := func() (*si.GetEntityInfoResponse, error) { return nil, errSimulation }
	for _, c := range []struct {
		robot string
		info  func() (*si.GetEntityInfoResponse, error)
		want  string
	}{
		{"thymio", none, "node /x/thymio2"},
		{"khepera4", none, "node /x/khepera4"},
		{mine, none, "node /x/my_robot"},
		{mine + ".gone", none, "in namespace /x"},
		{"", describes("e-puck2", world.LevelFunctional), "node /x/epuck_driver"},
		{"", describes("turtlebot3_burger", world.LevelDescribed), "node /x/turtlebot3_burger"},
		{"", describes("mine.urdf", world.LevelDescribed), "in namespace /x"},
		{"", none, "in namespace /x"},
	} {
		if got := (&spawnModel{c.robot}).nodeOf("x", c.info); got != c.want {
			t.Errorf("%q: %q, want %q", c.robot, got, c.want)
		}
	}
}
