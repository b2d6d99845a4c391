// SPDX-License-Identifier: Apache-2.0

// Package frame implements the command line: the tree of commands, parsing, help, completion, manual pages, exit
// statuses and the end of the program. It implements only the commands about the program itself, and does not use the
// network.
package frame

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// How to add a command: write a file NAME.go, in the package where it belongs, with
//
//	// NewNameCommand returns the command that ….
//	func NewNameCommand(p *frame.Program) *cobra.Command {
//		var o nameOptions                            // what its flags say
//		cmd := &cobra.Command{
//			Use:     "name FILE",                    // its arguments in capitals
//			Short:   "Do this with a file",          // a line in the list of commands
//			Long:    "It does this by ….",           // paragraphs for --help and the manual page
//			Example: "  epuck-driver name a.yaml",   // lines that a user can copy
//			Args:    cobra.ExactArgs(1),
//			RunE: func(cmd *cobra.Command, args []string) error {
//				return o.run(cmd.Context(), p.Streams, p.ROS, *on, args[0])
//			},
//		}
//		cmd.Flags().DurationVar(&o.duration, "for", 0, "end after this time; 0: no such end")
//		on := network.Flags(p, cmd)                  // --transport, and ROS arguments
//		p.TakesROSArguments(cmd)                     // ROS arguments only: p.ROS has them when RunE is called
//		return cmd
//	}
//
// and add it to a group in groups.go, in package main. Help, suggestions, completion and the manual pages follow from
// that; tests in package main check that nothing is missing. A command with sub-commands (bag, calibrate) adds them
// with AddCommand and has no RunE. Words of an argument complete by ValidArgsFunction, those of a flag by
// RegisterFlagCompletionFunc.
//
// RunE returns when its context ends or the work is done. Its error is printed with the command's name and makes the
// exit status 1; Usagef makes errors for what is wrong with the command line (status 2), as everything does that cobra
// finds before RunE. Output goes to p.Out, logs to p.Err.

// Program is one run of the program.
type Program struct {
	Streams
	ROS  ros2.Args // the arguments between --ros-args and --
	Line []string  // all of the command line
	// working is set once the command line has been parsed and a command has started.
	working bool
	out     *tty.Stream // the writer below Out, which records write errors; nil in tests
}

// Streams are the outputs of a command; tests use buffers.
type Streams struct {
	Out, Err io.Writer
	Exit     func(status int) // exits the program immediately; nil in tests
}

// Group is a heading in the help with its commands.
type Group struct {
	ID, Title string
	Commands  []Maker
	// More returns further commands that need only the streams; it may be nil.
	More func(s Streams) []*cobra.Command
}

// Maker creates a command for a run of the program.
type Maker func(p *Program) *cobra.Command

// NewRoot returns the program's command with all sub-commands; help itself is in the last group.
func NewRoot(p *Program, groups []Group) *cobra.Command {
	root := &cobra.Command{
		Use:   "epuck-driver",
		Short: "Makes an e-puck2 robot with a Pi-puck a ROS 2 robot",
		Long: "epuck-driver makes an e-puck2 robot with a Pi-puck a ROS 2 robot, or simulates one.\n" +
			"It has its own DDSI-RTPS: neither the robot nor this machine needs ROS 2.",
		Example: "  epuck-driver sim                       a simulated robot for this network\n" +
			"  epuck-driver drive 0.05 0.5 --for 4s   an arc of 5 cm/s, from another shell",
		SilenceErrors: true, SilenceUsage: true,
		SuggestionsMinimumDistance: 2,
	}
	root.CompletionOptions.DisableDefaultCmd = true // NewCompletionCommand is it
	root.SetFlagErrorFunc(shell.FlagError)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.ID, Title: g.Title})
		var below []*cobra.Command
		for _, make := range g.Commands {
			below = append(below, make(p))
		}
		if g.More != nil {
			below = append(below, g.More(p.Streams)...)
		}
		for _, cmd := range below {
			cmd.GroupID = g.ID
			root.AddCommand(cmd)
		}
	}
	if len(groups) > 0 {
		root.SetHelpCommandGroupID(groups[len(groups)-1].ID)
	}
	addHelps(root)
	cobraHelp := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if h := helpOf(cmd); h != nil {
			_ = h.write(p.Out) // Dispatch reports what could not be written
			return
		}
		cobraHelp(cmd, args)
	})
	p.noteWork(root)
	return root
}

// noteWork makes every sub-command of cmd record that it has started: earlier errors are in the command line.
func (p *Program) noteWork(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			p.working = true
			p.warnDeprecated(cmd)
			return run(cmd, args)
		}
	}
	for _, c := range cmd.Commands() {
		p.noteWork(c)
	}
}

// UsageError is a wrong command line: exit status 2.
type UsageError struct{ text string }

// Error returns the message.
func (e UsageError) Error() string { return e.text }

// Usagef returns a formatted [UsageError].
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// NoArguments is the Args of a command that takes none.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := suggest.Near(args[0], NamesBelow(cmd)); len(near) > 0 {
		return Usagef("unexpected argument %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	if flag := BareAddress(cmd); flag != "" {
		return Usagef("unexpected argument %q; if it is the value of --%s, write --%s=%s", args[0], flag, flag, args[0])
	}
	return Usagef("unexpected argument %q", args[0])
}

// BareAddress returns the name of a flag that was given without its optional value, empty if none was.
func BareAddress(cmd *cobra.Command) (name string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Annotations[shell.OptionalAddress] != nil && f.Value.String() == f.NoOptDefVal {
			name = f.Name
		}
	})
	return name
}

// NamesBelow returns the names of a command's sub-commands.
func NamesBelow(cmd *cobra.Command) []string {
	var names []string
	for _, c := range Documented(cmd) {
		names = append(names, c.Name())
	}
	return names
}

// misspelled finds a word that should be the name of a sub-command and isn't, for which cobra prints the help without
// an error.
func misspelled(root *cobra.Command, args []string) (*cobra.Command, error) {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd == root || cmd.Runnable() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return cmd, nil //nolint:nilerr // cobra finds and reports it again
	}
	names := NamesBelow(cmd)
	text := fmt.Sprintf("unknown command %q", rest[0])
	if near := suggest.Near(rest[0], names); len(near) > 0 {
		return cmd, Usagef("%s; did you mean %s?", text, strings.Join(near, " or "))
	}
	return cmd, Usagef("%s: there are %s", text, strings.Join(names, ", "))
}
