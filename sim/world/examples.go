// SPDX-License-Identifier: Apache-2.0

package world

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed examples/*.yaml examples/*.png
var examples embed.FS

// DefaultName is the example world that is used when none is asked for.
const DefaultName = "arena"

// Examples returns the names of the built-in worlds, in alphabetical order.
func Examples() []string {
	entries, err := fs.ReadDir(examples, "examples")
	if err != nil { // the directory is part of the program
		return nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Example returns the built-in world of a name, or ErrUnknown. Settings are those of [Parse].
func Example(name string, settings ...string) (*World, error) {
	if _, err := ExampleSource(name); err != nil {
		return nil, err
	}
	return LoadFS(examples, "examples/"+name+".yaml", settings...)
}

// ExampleSource returns the file of a built-in world, to start one's own from;
// its picture, if it has one, is not in it.
func ExampleSource(name string) ([]byte, error) {
	data, err := examples.ReadFile("examples/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("%w %q, there are %s", ErrUnknown, name, strings.Join(Examples(), ", "))
	}
	return data, nil
}

// Default returns the built-in world DefaultName.
func Default() (*World, error) { return Example(DefaultName) }
