// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	repeated   bool // accepts all following words, at least one
	file       bool // is a file name
	complete   completer
}

// Commands returns the tools as commands for the root of a program: "action", "component", "interface", "lifecycle",
// "node", "param", "service" and "topic", each with its sub-commands. They write to env.Out and env.Err, including
// error messages; the error that they return is a [Status], which need not be printed. Control characters in the output
// are escaped. Pass the command line through [Normalize].
func Commands(env Env) []*cobra.Command {
	env.escape()
	return env.groups(commands())
}

// groups returns a command for each group of tools.
func (env *Env) groups(all []command) []*cobra.Command {
	var groups []*cobra.Command
	for i := range all {
		c := &all[i]
		if len(groups) == 0 || groups[len(groups)-1].Name() != c.group {
			groups = append(groups, env.newGroup(c.group))
		}
		groups[len(groups)-1].AddCommand(env.newCommand(c))
	}
	return groups
}

// newGroup returns a command that only has sub-commands. Run without one, it lists them.
func (env *Env) newGroup(name string) *cobra.Command {
	g := &cobra.Command{
		Use: name + " COMMAND", Short: groupSummaries[name], Example: groupExample(env.Program, name),
		SuggestionsMinimumDistance: 2,
		ValidArgsFunction:          cobra.NoFileCompletions,
		DisableFlagsInUseLine:      true,
	}
	g.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return env.usageError(cmd, unknownCommand(cmd, args[0]))
	}
	g.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return env.usageError(cmd, flagErrorText(cmd, err)) })
	return g
}

func unknownCommand(group *cobra.Command, name string) string {
	var names []string
	for _, c := range group.Commands() {
		names = append(names, "'"+c.Name()+"'")
	}
	text := fmt.Sprintf("invalid choice: '%s' (choose from %s)", name, strings.Join(names, ", "))
	if near := group.SuggestionsFor(name); len(near) > 0 {
		text += "; did you mean '" + strings.Join(near, "' or '") + "'?"
	}
	return text
}

// newCommand returns a tool as a command.
func (env *Env) newCommand(c *command) *cobra.Command {
	cmd := &cobra.Command{
		Use: c.use(), Short: c.summary, Long: c.description(),
		Example: example(env.Program, c.group, c.name),
		Args:    func(cmd *cobra.Command, args []string) error { return env.checkArguments(c, cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			own, out := *env, &output{w: env.Out, failed: cancel}
			own.Out = out
			s := &session{env: &own, args: c.arguments(cmd, args)}
			err := s.loadInterfaces()
			if err == nil {
				err = c.run(ctx, s)
			}
			err = errors.Join(err, s.close())
			if failed := out.error(); failed != nil {
				return env.lost(failed)
			}
			return env.status(cmd.Context(), err)
		},
	}
	cmd.ValidArgsFunction = c.completion(env)
	c.addOptions(cmd)
	return cmd
}

// use returns the command's usage line: its name and arguments.
func (c *command) use() string {
	line := c.name
	for _, p := range c.positional {
		name := p.name
		if p.repeated {
			name += "..."
		}
		if p.optional {
			name = "[" + name + "]"
		}
		line += " " + name
	}
	return line
}

// description returns the description of the command and its arguments.
func (c *command) description() string {
	text := c.summary + "."
	if len(c.positional) > 0 {
		text += "\n\nArguments:"
	}
	for _, p := range c.positional {
		text += fmt.Sprintf("\n  %-16s %s", p.name, p.help)
	}
	return text
}

// checkArguments rejects missing, surplus and mutually exclusive arguments.
func (env *Env) checkArguments(c *command, cmd *cobra.Command, args []string) error {
	if text := c.excluded(cmd); text != "" {
		return env.usageError(cmd, text)
	}
	var missing []string
	free := len(args)
	for _, p := range c.positional {
		n := min(1, free)
		if p.repeated {
			n = free
		}
		if n == 0 && !p.optional {
			missing = append(missing, p.name)
		}
		free -= n
	}
	if len(missing) > 0 {
		return env.usageError(cmd, "the following arguments are required: "+strings.Join(missing, ", "))
	}
	if free > 0 {
		return env.usageError(cmd, "unrecognized arguments: "+strings.Join(args[len(args)-free:], " "))
	}
	return nil
}

// excluded returns the option that must not follow an earlier one; empty if there is none.
func (c *command) excluded(cmd *cobra.Command) (text string) {
	var before []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if o := c.option("--" + f.Name); o != nil && slices.Contains(before, o.excludes) {
			text = fmt.Sprintf("argument %s: not allowed with argument %s", o.shown(), c.option(o.excludes).shown())
		}
		before = append(before, "--"+f.Name)
	})
	return text
}
