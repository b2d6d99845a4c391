// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"fmt"
	"io"
	"strings"
)

// title returns what a usage text begins with: "epuck-driver topic list".
func (env *Env) title(c *command, args []string) string {
	switch {
	case c != nil:
		return env.Program + " " + c.group + " " + c.name
	case len(args) > 0:
		return env.Program + " " + args[0]
	}
	return env.Program
}

// usage writes how a command is used, with all its arguments; without a command,
// the commands of the group that args name.
func (env *Env) usage(w io.Writer, c *command, args []string) {
	if c == nil {
		env.usageOfGroup(w, args)
		return
	}
	line := "usage: " + env.title(c, nil) + " [-h]"
	for i := range c.options {
		line += " [" + c.options[i].usage() + "]"
	}
	for _, p := range c.positional {
		name := p.name
		if p.repeated {
			name += " ..."
		}
		if p.optional {
			name = "[" + name + "]"
		}
		line += " " + name
	}
	fmt.Fprintf(w, "%s\n\n%s\n", line, c.summary)
	if len(c.positional) > 0 {
		fmt.Fprint(w, "\npositional arguments:\n")
	}
	for _, p := range c.positional {
		fmt.Fprintf(w, "  %-22s %s\n", p.name, p.help)
	}
	fmt.Fprintf(w, "\noptions:\n  %-22s %s\n", "-h, --help", "show this help message and exit")
	for i := range c.options {
		o := &c.options[i]
		head := strings.ReplaceAll(o.names, " ", ", ")
		if o.metavar != "" {
			head += " " + o.metavar
		}
		help := o.help
		if len(o.choices) > 0 {
			help += " (" + strings.Join(o.choices, ", ") + ")"
		}
		if len(head) > 22 {
			fmt.Fprintf(w, "  %s\n  %22s %s\n", head, "", help)
			continue
		}
		fmt.Fprintf(w, "  %-22s %s\n", head, help)
	}
}

// usage returns the option as a usage line shows it.
func (o *option) usage() string {
	names := strings.Fields(o.names)
	name := names[len(names)-1] // the short one
	if o.metavar == "" {
		return name
	}
	if o.repeated {
		return name + " " + o.metavar + " ..."
	}
	return name + " " + o.metavar
}

func (env *Env) usageOfGroup(w io.Writer, args []string) {
	group := ""
	if len(args) > 0 {
		group = args[0]
	}
	fmt.Fprintf(w, "usage: %s COMMAND ...\n\nCommands:\n", env.title(nil, args))
	for _, c := range commands() {
		if c.group == group {
			fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
		}
	}
	fmt.Fprintf(w, "\n  Call `%s COMMAND -h` for more detailed usage.\n", env.title(nil, args))
}
