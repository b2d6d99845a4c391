// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simclient

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// FindModel returns the name of a robot and, if name is a file, its text. The names of the library may be
// abbreviated.
func FindModel(name string) (model string, text []byte, err error) {
	if strings.ContainsAny(name, "./"+string(filepath.Separator)) {
		model = filepath.Base(name)
		if text, err = ReadModel(name); err == nil {
			_, err = library.Parse(model, text)
			err = filekind.ExplainData(name, text, err, filekind.URDF, filekind.SDF, filekind.WebotsWorld, filekind.XML)
		}
		if err != nil {
			return "", nil, fmt.Errorf("--robot: %w", err)
		}
		return model, text, nil
	}
	if model = KnownModel(name); model == "" {
		return "", nil, UnknownModel(name)
	}
	return model, nil, nil
}

// KnownModel returns the name of the library's robot that is called name, or else of the last one whose name begins
// with it; empty if there is none.
func KnownModel(name string) (model string) {
	names := library.Names()
	if slices.Contains(names, name) {
		return name
	}
	for _, n := range names {
		if name != "" && strings.HasPrefix(n, name) {
			model = n
		}
	}
	return model
}

// UnknownModel returns the error of a name that is not in the library.
func UnknownModel(name string) error {
	names := library.Names()
	return fmt.Errorf("%w: %q; there are %s, and any file of URDF, SDF or PROTO%s", library.ErrNoRobot, name, strings.Join(names, ", "), suggest.DidYouMean(name, names))
}

// ReadModel reads a file of a description or of settings, up to one byte more than world.MaxModelSize.
func ReadModel(name string) ([]byte, error) {
	f, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, world.MaxModelSize+1))
}

// spawnModel is the flag of sim spawn for robots of other kinds.
type spawnModel struct{ name string }

func (o *spawnModel) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "a robot of another kind: one of "+strings.Join(library.Names(), ", ")+",\n"+
		"the beginning of one of these, or a `FILE` of URDF, SDF or PROTO")
}

// into sets the requested robot in a request.
func (o *spawnModel) into(q *si.SpawnEntityRequest) error {
	if o.name == "" {
		return nil
	}
	model, text, err := FindModel(o.name)
	if err != nil {
		return err
	}
	q.Uri, q.ResourceString = model, string(text)
	if text != nil {
		q.Uri = ""
	}
	return nil
}

// nodeOf returns a text for the node of a spawned robot, determined by the requested description or, without one, by
// the simulation's information about the robot.
func (o *spawnModel) nodeOf(robot string, info func() (*si.GetEntityInfoResponse, error)) string {
	node, name := driver.NodeName, o.name
	if name == "" {
		r, err := info()
		if err != nil {
			return "in namespace /" + robot
		}
		if tags := r.Info.Tags; slices.Contains(tags, world.LevelDescribed) {
			name = r.Info.Description
			if !slices.Contains(library.Names(), name) { // from a file that is not on this machine
				return "in namespace /" + robot
			}
		}
	}
	if name != "" {
		model, text, err := FindModel(name)
		desc, unread := library.Load(model)
		if text != nil {
			desc, unread = library.Parse(model, text)
		}
		if err != nil || unread != nil {
			return "in namespace /" + robot
		}
		node = genericdriver.NodeName(desc)
	}
	return "node /" + robot + "/" + node
}
