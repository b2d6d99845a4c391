// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// command is one tool. Its arguments are those of the ros2 command.
type command struct {
	group, name, summary string
	positional           []positional
	options              []option
	run                  func(ctx context.Context, s *session) error
}

// positional is an argument without a name.
type positional struct {
	name, help string
	optional   bool
	repeated   bool // takes all that follow, at least one
	complete   completer
}

// option is an argument with a name. One without a metavar is a flag.
type option struct {
	names    string // separated by blanks, the long one first: "--rate -r"
	metavar  string
	help     string
	choices  []string
	check    func(value string) error
	repeated bool // takes all values up to the next option
	excludes string
}

func (o *option) long() string { return strings.Fields(o.names)[0] }

// parsed is a command line. Options are kept under their long names.
type parsed struct {
	help       bool
	options    map[string][]string
	positional map[string][]string
}

// flag tells whether an option is there.
func (p *parsed) flag(name string) bool { _, ok := p.options[name]; return ok }

// value returns the value of an option or positional, or the default.
func (p *parsed) value(name, def string) string {
	for _, m := range []map[string][]string{p.options, p.positional} {
		if v := m[name]; len(v) > 0 {
			return v[len(v)-1]
		}
	}
	return def
}

// number returns the value of an option that was checked to be a number.
func (p *parsed) number(name string, def float64) float64 {
	v, err := strconv.ParseFloat(p.value(name, ""), 64)
	if err != nil {
		return def
	}
	return v
}

// integer is number for whole numbers.
func (p *parsed) integer(name string, def int) int {
	v, err := strconv.Atoi(p.value(name, ""))
	if err != nil {
		return def
	}
	return v
}

// find returns the command that args begin with and the arguments after its name;
// no command if help for a group is asked for.
func find(args []string) (*command, []string, error) {
	if len(args) == 0 || !slices.Contains(Groups(), args[0]) {
		return nil, nil, &usageError{text: fmt.Sprintf("no such command: %q", args)}
	}
	if len(args) == 1 || args[1] == "-h" || args[1] == "--help" {
		return nil, nil, nil
	}
	var names []string
	all := commands()
	for i := range all {
		c := &all[i]
		if c.group != args[0] {
			continue
		}
		if c.name == args[1] {
			return c, args[2:], nil
		}
		names = append(names, "'"+c.name+"'")
	}
	return nil, nil, &usageError{text: fmt.Sprintf("invalid choice: '%s' (choose from %s)", args[1], strings.Join(names, ", "))}
}

// parser is at work on one command line.
type parser struct {
	c    *command
	args []string
	out  parsed
	free []string // positional arguments
}

// parse reads the arguments of a command: options may stand anywhere, as
// "--rate 5", "--rate=5", "-r 5" and "-r5"; long ones may be cut short where that is
// clear; "--" ends them.
func parse(c *command, args []string) (*parsed, error) {
	p := parser{c: c, args: args, out: parsed{options: map[string][]string{}, positional: map[string][]string{}}}
	for len(p.args) > 0 && !p.out.help {
		arg := p.args[0]
		p.args = p.args[1:]
		var err error
		switch {
		case arg == "--":
			p.free, p.args = append(p.free, p.args...), nil
		case len(arg) > 1 && arg[0] == '-' && !isNumber(arg):
			err = p.option(arg)
		default:
			p.free = append(p.free, arg)
		}
		if err != nil {
			return nil, err
		}
	}
	if p.out.help {
		return &p.out, nil
	}
	return &p.out, p.assign()
}

// isNumber tells a negative number from an option.
func isNumber(arg string) bool {
	_, err := strconv.ParseFloat(arg, 64)
	return err == nil && arg != "-1" // -1 is an option of topic pub
}

func (p *parser) errorf(format string, args ...any) error {
	return &usageError{command: p.c, text: fmt.Sprintf(format, args...)}
}

// option reads one option and its values.
func (p *parser) option(arg string) error {
	if arg == "-h" || arg == "--help" {
		p.out.help = true
		return nil
	}
	name, value, attached := strings.Cut(arg, "=")
	if !strings.HasPrefix(arg, "--") && len(arg) > 2 {
		name, value, attached = arg[:2], strings.TrimPrefix(arg[2:], "="), true
	}
	o, err := p.lookup(name)
	if err != nil {
		return err
	}
	if o == nil {
		return p.errorf("unrecognized arguments: %s", arg)
	}
	if p.out.flag(o.excludes) {
		return p.errorf("argument %s: not allowed with argument %s", p.shown(o), p.shown(p.named(o.excludes)))
	}
	if o.metavar == "" {
		if attached && strings.HasPrefix(arg, "--") {
			return p.errorf("argument %s: ignored explicit argument '%s'", p.shown(o), value)
		}
		if attached { // flags may be joined, as in -tv
			p.args = append([]string{"-" + value}, p.args...)
		}
		p.out.options[o.long()] = nil
		return nil
	}
	return p.values(o, value, attached)
}

// values reads what an option takes.
func (p *parser) values(o *option, value string, attached bool) error {
	values := []string{value}
	if !attached {
		values = nil
		for len(p.args) > 0 && (len(values) == 0 || o.repeated) {
			next := p.args[0]
			if len(next) > 1 && next[0] == '-' && !isNumber(next) && next != "-1" {
				break
			}
			values, p.args = append(values, next), p.args[1:]
		}
	}
	if len(values) == 0 {
		return p.errorf("argument %s: expected one argument", p.shown(o))
	}
	for _, v := range values {
		if len(o.choices) > 0 && !slices.Contains(o.choices, v) {
			return p.errorf("argument %s: invalid choice: '%s' (choose from '%s')", p.shown(o), v, strings.Join(o.choices, "', '"))
		}
		if o.check != nil {
			if err := o.check(v); err != nil {
				return p.errorf("argument %s: %v", p.shown(o), err)
			}
		}
	}
	p.out.options[o.long()] = append(p.out.options[o.long()], values...)
	return nil
}

// shown is how messages name an option: "-r/--rate".
func (p *parser) shown(o *option) string {
	names := strings.Fields(o.names)
	if len(names) == 2 {
		return names[1] + "/" + names[0]
	}
	return names[0]
}

func (p *parser) named(long string) *option {
	for i := range p.c.options {
		if p.c.options[i].long() == long {
			return &p.c.options[i]
		}
	}
	return nil
}

// lookup finds an option by its name or the beginning of its long name.
func (p *parser) lookup(name string) (*option, error) {
	var near []*option
	for i := range p.c.options {
		o := &p.c.options[i]
		if slices.Contains(strings.Fields(o.names), name) {
			return o, nil
		}
		if len(name) > 2 && strings.HasPrefix(o.long(), name) {
			near = append(near, o)
		}
	}
	switch len(near) {
	case 0:
		return nil, nil
	case 1:
		return near[0], nil
	}
	var names []string
	for _, o := range near {
		names = append(names, o.long())
	}
	return nil, p.errorf("ambiguous option: %s could match %s", name, strings.Join(names, ", "))
}

// assign gives the positional arguments their names.
func (p *parser) assign() error {
	free := p.free
	var missing []string
	for _, pos := range p.c.positional {
		n := min(1, len(free))
		if pos.repeated {
			n = len(free)
		}
		if n == 0 && !pos.optional {
			missing = append(missing, pos.name)
		}
		if n > 0 {
			p.out.positional[pos.name] = free[:n]
		}
		free = free[n:]
	}
	if len(missing) > 0 {
		return p.errorf("the following arguments are required: %s", strings.Join(missing, ", "))
	}
	if len(free) > 0 {
		return p.errorf("unrecognized arguments: %s", strings.Join(free, " "))
	}
	return nil
}
