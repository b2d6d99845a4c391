// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// Several adds a flag whose values are all words up to the next flag, as in rosbag2.
func Several(f *pflag.FlagSet, to *[]string, name, usage string) {
	f.StringArrayVar(to, name, nil, usage)
	Annotate(f, name, shell.SeveralValues)
}

// Annotate annotates a flag that was just added.
func Annotate(f *pflag.FlagSet, name, annotation string) {
	_ = f.SetAnnotation(name, annotation, []string{"yes"}) // fails for unknown names only
}

// OptionalAddress makes the value of a flag that was just added optional, with the default preset. The value may also
// follow after a space: HOST:PORT or one of the forms (shell.OptionalAddress).
func OptionalAddress(f *pflag.FlagSet, name, preset string, forms ...string) {
	f.Lookup(name).NoOptDefVal = preset
	_ = f.SetAnnotation(name, shell.OptionalAddress, append([]string{preset}, forms...)) // fails for unknown names only
}
