// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrUnknownWorld is matched by the error of [LoadWorld] if there is no built-in world of a name.
var ErrUnknownWorld = world.ErrUnknown

// LoadWorld returns the world of a built-in name ("arena", "maze" …) or reads
// the file at a path. The empty name is the default world. Settings give fields other values than the file, as
// world.Parse reads them. Errors wrap world.ErrWorld, world.ErrUnknown or those of package os.
func LoadWorld(nameOrPath string, settings ...string) (*World, error) {
	if nameOrPath == "" {
		nameOrPath = world.DefaultName
	}
	if strings.ContainsAny(nameOrPath, "./") {
		return world.LoadFile(nameOrPath, settings...)
	}
	w, err := world.Example(nameOrPath, settings...)
	if errors.Is(err, world.ErrUnknown) {
		return nil, fmt.Errorf("%w; a file's path needs a dot or a slash in it", err)
	}
	return w, err
}

// ParseWorld reads the text of a world file.
func ParseWorld(data []byte) (*World, error) { return world.Parse(data) }

// ParseParts reads a list of parts of a robot with commas between, as World.Refit takes them.
func ParseParts(text string) ([]Part, error) { return world.ParseParts(text) }

// ExampleWorlds returns the names of the built-in worlds.
func ExampleWorlds() []string { return world.Examples() }
