// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"strings"

	"github.com/spf13/pflag"

	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// spawnModel is the flag of sim spawn for robots of other kinds.
type spawnModel struct{ name string }

func (o *spawnModel) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "a robot of another kind: one of "+strings.Join(library.Names(), ", ")+",\n"+
		"the beginning of one of these, or a `FILE` of URDF, SDF or PROTO")
}

// into asks for it.
func (o *spawnModel) into(q *si.SpawnEntityRequest) error {
	if o.name == "" {
		return nil
	}
	model, text, err := findModel(o.name)
	if err != nil {
		return err
	}
	q.Uri, q.ResourceString = model, string(text)
	if text != nil {
		q.Uri = ""
	}
	return nil
}
