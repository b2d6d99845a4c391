// SPDX-License-Identifier: Apache-2.0

package experiment_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/experiment"
)

func TestScript(t *testing.T) {
	e := parse(t, small)
	script, err := e.Script(experiment.Slurm{Program: []string{"/opt/my program"}, File: "/a/b.yaml", Folder: "/r", Options: []string{"--mem=1G"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"#!/bin/sh\n", "--array=0-11\n", "#SBATCH --mem=1G\n", `exec '/opt/my program' 'experiment' 'task' '/a/b.yaml' '--results' '/r' --index "$SLURM_ARRAY_TASK_ID" --of 12`} {
		if !strings.Contains(script, want) {
			t.Errorf("no %q in\n%s", want, script)
		}
	}
	for _, bad := range []experiment.Slurm{{}, {Program: []string{"x"}, File: "f", Folder: "r", Options: []string{"rm -rf /"}}, {Program: []string{"x"}, File: "f", Folder: "r", Options: []string{"-x\nrm"}}} {
		if _, err := e.Script(bad); !errors.Is(err, experiment.ErrSlurm) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	seen := make(map[int]bool)
	for i := range 5 {
		part, err := e.Part(i, 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range part {
			seen[r] = true
		}
	}
	if len(seen) != e.Runs() {
		t.Errorf("%d of %d runs are in a part", len(seen), e.Runs())
	}
	if _, err := e.Part(5, 5); !errors.Is(err, experiment.ErrSlurm) {
		t.Error(err)
	}
}
