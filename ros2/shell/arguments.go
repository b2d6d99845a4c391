// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// arguments are a tool's parsed command line. Options are looked up with their dashes, "--rate", positional arguments
// without.
type arguments struct {
	flags      *pflag.FlagSet
	positional map[string][]string
}

// arguments assigns names to the positional arguments. Missing ones are omitted.
func (c *command) arguments(cmd *cobra.Command, free []string) *arguments {
	a := &arguments{flags: cmd.Flags(), positional: map[string][]string{}}
	for _, p := range c.positional {
		n := min(1, len(free))
		if p.repeated {
			n = len(free)
		}
		if n > 0 {
			a.positional[p.name] = free[:n]
		}
		free = free[n:]
	}
	return a
}

// given returns the flag of an option if it is on the command line, else nil.
func (a *arguments) given(name string) *pflag.Flag {
	f := a.flags.Lookup(strings.TrimPrefix(name, "--"))
	if f == nil || !f.Changed {
		return nil
	}
	return f
}

// flag reports whether an option is on the command line.
func (a *arguments) flag(name string) bool {
	f := a.given(name)
	return f != nil && (f.Value.Type() != "bool" || f.Value.String() == "true")
}

// value returns the value of an option or positional argument, or its default: that in the table of commands, or def if
// the default is not constant.
func (a *arguments) value(name, def string) string {
	if long, ok := strings.CutPrefix(name, "--"); ok {
		if f := a.flags.Lookup(long); f != nil && f.Value.String() != "" {
			return f.Value.String()
		}
		return def
	}
	if v := a.positional[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return def
}

// list returns the values of an option that accepts several.
func (a *arguments) list(name string) []string {
	f := a.given(name)
	if f == nil {
		return nil
	}
	v, _ := f.Value.(*optionValue)
	return v.values
}

// number returns the value of an option that has been checked to be a number.
func (a *arguments) number(name string, def float64) float64 {
	v, err := strconv.ParseFloat(a.value(name, ""), 64)
	if err != nil {
		return def
	}
	return v
}

// integer is number for whole numbers.
func (a *arguments) integer(name string, def int) int {
	v, err := strconv.Atoi(a.value(name, ""))
	if err != nil {
		return def
	}
	return v
}
