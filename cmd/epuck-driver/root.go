// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// How to add a command: write a file NAME.go with
//
//	// newNameCommand returns the command that ….
//	func newNameCommand(p *program) *cobra.Command {
//		var o nameOptions                            // what its flags say
//		on := &transportChoice{}                        // only if it joins the network as a node
//		cmd := &cobra.Command{
//			Use:     "name FILE",                    // its arguments in capitals
//			Short:   "Do this with a file",          // a line in the list of commands
//			Long:    "It does this by ….",           // paragraphs for --help and the manual page
//			Example: "  epuck-driver name a.yaml",   // lines that a user can copy
//			Args:    cobra.ExactArgs(1),
//			RunE: func(cmd *cobra.Command, args []string) error {
//				return o.run(cmd.Context(), p.streams, p.ros, args[0])
//			},
//		}
//		cmd.Flags().DurationVar(&o.duration, "for", 0, "end after this time; 0: no such end")
//		on = p.joinsNetwork(cmd)                     // --transport, and ROS arguments
//		p.takesROSArguments(cmd)                     // ROS arguments only: p.ros has them when RunE is called
//		return cmd
//	}
//
// and add it to a group in commandGroups. Help, suggestions, completion and the manual pages follow from that; the
// tests of this file check that nothing of it is missing. A command with sub-commands (bag, calibrate) adds them with
// AddCommand and has no RunE. Words of an argument complete by ValidArgsFunction, those of a flag by
// RegisterFlagCompletionFunc.
//
// RunE returns when its context ends or the work is done. Its error is printed with the command's name and makes the
// exit status 1; usagef makes errors for what is wrong with the command line (status 2), as everything does that cobra
// finds before RunE. Output goes to p.out, logs to p.err.

// program is one run of the program.
type program struct {
	streams
	ros  ros2.Args // what stands between --ros-args and --
	line []string  // all of the command line
	// working is set once the command line is understood and a command has begun its work.
	working bool
}

// streams are what a command reads and writes; tests give buffers.
type streams struct {
	out, err io.Writer
	exit     func(status int) // ends the program at once; nil in tests
}

// commandGroups are the groups of commands in the order of the help.
func commandGroups() []commandGroup {
	return []commandGroup{
		{"robot", "The robot:", []newCommand{newSimCommand, newRunCommand, newStopCommand, newDoctorCommand, newExperimentCommand, newCalibrateCommand, newEstimateCommand, newRobotsCommand}},
		{"network", "Any ROS 2 network:", []newCommand{newDriveCommand, newTeleopCommand, newWebCommand, newBagCommand, newMapCommand, newGotoCommand, newPathCommand, newNavigateCommand}},
		{"program", "This program:", []newCommand{newCompletionCommand, newManCommand, newVersionCommand}},
	}
}

// commandGroup is a heading in the help with the commands below it.
type commandGroup struct {
	id, title string
	commands  []newCommand
}

// newCommand makes a command for a run of the program.
type newCommand func(p *program) *cobra.Command

// newRoot returns the program's command with all that are below it.
func newRoot(p *program) *cobra.Command {
	root := &cobra.Command{
		Use:   "epuck-driver",
		Short: "Makes an e-puck2 robot with a Pi-puck a ROS 2 robot",
		Long: "epuck-driver makes an e-puck2 robot with a Pi-puck a ROS 2 robot, and simulates one where there is none.\n" +
			"It speaks DDSI-RTPS itself: neither the robot nor this machine needs ROS 2.",
		Example: "  epuck-driver sim                           a simulated robot for this network\n" +
			"  epuck-driver drive 0.05 0.5 --for 4s       an arc of 5 cm/s, from another shell\n" +
			"  epuck-driver topic echo --once /odom       where the robot thinks it is",
		SilenceErrors: true, SilenceUsage: true,
		SuggestionsMinimumDistance: 2,
	}
	root.CompletionOptions.DisableDefaultCmd = true // newCompletionCommand is it
	root.SetFlagErrorFunc(shell.FlagError)
	root.SetOut(p.out)
	root.SetErr(p.err)
	for _, g := range commandGroups() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, make := range g.commands {
			cmd := make(p)
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	for _, cmd := range shell.Commands(shellEnv(p.streams)) {
		cmd.GroupID = "network"
		root.AddCommand(cmd)
	}
	root.SetHelpCommandGroupID("program")
	p.helpWithROSArguments(root)
	p.noteWork(root)
	return root
}

// noteWork makes every command below cmd say when it begins: errors before that are in the command line.
func (p *program) noteWork(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			p.working = true
			return run(cmd, args)
		}
	}
	for _, c := range cmd.Commands() {
		p.noteWork(c)
	}
}

// usageError is a wrong command line: exit status 2.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// noArguments is the Args of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := shell.Near(args[0], namesBelow(cmd)); len(near) > 0 {
		return usagef("unexpected argument %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return usagef("unexpected argument %q", args[0])
}

// namesBelow are the names of a command's sub-commands.
func namesBelow(cmd *cobra.Command) []string {
	var names []string
	for _, c := range documented(cmd) {
		names = append(names, c.Name())
	}
	return names
}

// misspelled finds a word that should name a sub-command and does not, which cobra answers with help and no error.
func misspelled(root *cobra.Command, args []string) (*cobra.Command, error) {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd == root || cmd.Runnable() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return cmd, nil //nolint:nilerr // cobra finds it again and says so
	}
	names := namesBelow(cmd)
	text := fmt.Sprintf("unknown command %q", rest[0])
	if near := shell.Near(rest[0], names); len(near) > 0 {
		return cmd, usagef("%s; did you mean %s?", text, strings.Join(near, " or "))
	}
	return cmd, usagef("%s: there are %s", text, strings.Join(names, ", "))
}
