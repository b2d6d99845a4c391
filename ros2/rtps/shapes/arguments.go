// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ParseArgs parses a command line as getopt does: one-letter options may share a dash, and a value follows its option
// directly or as the next argument, after a long one also with an equals sign. It fails if an option is unknown, lacks
// its value, has a bad one or contradicts another (the error names it), if package rtps does not support the option
// ("not supported" and what), and with [ErrHelp] if help is requested.
func ParseArgs(args []string) (Options, error) {
	o := defaults()
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		var err error
		switch {
		case strings.HasPrefix(arg, "--") && len(arg) > 2:
			args, err = o.long(arg, args)
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
			args, err = o.short(arg, args)
		default:
			err = fmt.Errorf("%w: %q is not an option", errArgument, arg)
		}
		if err != nil {
			return o, err
		}
	}
	return o, o.check()
}

// long reads an option with two dashes, and returns the arguments after it.
func (o *Options) long(arg string, rest []string) ([]string, error) {
	name, value, attached := strings.Cut(arg[2:], "=")
	for i := range table {
		if t := &table[i]; t.long == name {
			if attached && t.value == "" {
				return nil, fmt.Errorf("%w: --%s takes no value", errArgument, name)
			}
			return o.apply(t, value, attached, rest)
		}
	}
	return nil, fmt.Errorf("%w: unknown option --%s", errArgument, name)
}

// short reads the options behind one dash.
func (o *Options) short(arg string, rest []string) ([]string, error) {
	for i := 1; i < len(arg); i++ {
		t := find(arg[i])
		if t == nil {
			return nil, fmt.Errorf("%w: unknown option -%c", errArgument, arg[i])
		}
		if t.value != "" {
			return o.apply(t, arg[i+1:], i+1 < len(arg), rest)
		}
		if _, err := o.apply(t, "", false, nil); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// find returns the option with this letter, or nil.
func find(letter byte) *option {
	for i := range table {
		if table[i].letter == letter {
			return &table[i]
		}
	}
	return nil
}

// apply sets an option to its value, attached or in the next argument.
func (o *Options) apply(t *option, value string, attached bool, rest []string) ([]string, error) {
	if t.value != "" && !attached {
		if len(rest) == 0 {
			return nil, fmt.Errorf("%w: %s needs a value", errArgument, t.name())
		}
		value, rest = rest[0], rest[1:]
	}
	if err := t.set(o, value); err != nil {
		return nil, fmt.Errorf("%s: %w", t.name(), err)
	}
	return rest, nil
}

// check rejects contradictory and unsupported options.
func (o *Options) check() error {
	switch {
	case o.Topic == "":
		return fmt.Errorf("%w: name a topic (-t)", errArgument)
	case o.Publish == o.Subscribe:
		return fmt.Errorf("%w: either publish (-P) or subscribe (-S)", errArgument)
	case o.Subscribe && o.Color != "" && o.Filter != nil:
		return fmt.Errorf("%w: -c and --cft both filter", errArgument)
	case o.Coherent:
		return fmt.Errorf("%w: coherent sets", errUnsupported)
	case o.Ordered && o.Scope == wire.PresentGroup && o.Topics > 1:
		return fmt.Errorf("%w: order among the topics of a group", errUnsupported)
	case o.Publish && o.Durability > wire.TransientLocal:
		return fmt.Errorf("%w: samples that outlive their writer", errUnsupported)
	case o.fragment != 0:
		return fmt.Errorf("%w: fragments of a chosen size", errUnsupported)
	}
	if o.Publish && o.Color == "" {
		o.Color = "BLUE"
	}
	if o.Subscribe && o.Color != "" {
		o.Filter = &Filter{field: fieldColor, op: "=", text: o.Color}
	}
	return nil
}
