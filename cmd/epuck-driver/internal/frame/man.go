// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// NewManCommand returns the command that prints the manual pages (roff). The packages install its output.
func NewManCommand(p *Program) *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print the manual page of the program or of a command",
		Long: "Prints the manual page (roff) of the program, or of the command that is named. With --dir it writes the pages of\n" +
			"all commands into a folder.",
		Example: "  man -l <(epuck-driver man)\n  man -l <(epuck-driver man topic pub)\n  epuck-driver man --dir /usr/local/share/man/man1",
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages to this `DIR` instead")
	_ = cmd.MarkFlagDirname("dir") // fails for a flag that doesn't exist
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if dir != "" {
			return writePages(cmd.Root(), dir)
		}
		of, rest, err := cmd.Root().Find(args)
		if err != nil || len(rest) > 0 {
			return Usagef("no command %q", strings.Join(args, " "))
		}
		_, err = io.WriteString(p.Out, page(of, build.This()))
		return err
	}
	return cmd
}

// writePages writes the pages of cmd and all commands below it.
func writePages(cmd *cobra.Command, dir string) error {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(page(cmd, build.This())), 0o644); err != nil {
		return err
	}
	for _, c := range Documented(cmd) {
		if err := writePages(c, dir); err != nil {
			return err
		}
	}
	return nil
}

// Documented returns the sub-commands of cmd that have a page: not the hidden ones, nor help.
func Documented(cmd *cobra.Command) []*cobra.Command {
	var with []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			with = append(with, c)
		}
	}
	return with
}

// page renders the manual page of a command, or of the program for the root.
func page(cmd *cobra.Command, b build.Info) string {
	var m manual
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(&m, ".TH %s 1 %q %q \"User Commands\"\n", Roff(strings.ToUpper(name)), Roff(b.Date), "epuck\\-driver "+Roff(b.Version))
	m.section("NAME", name+" - "+strings.ToLower(cmd.Short[:1])+cmd.Short[1:])
	m.section("SYNOPSIS")
	m.synopsis(cmd)
	m.section("DESCRIPTION", strings.Split(cmd.Long, "\n\n")...)
	if pages := pagesOf(cmd); pages != nil {
		m.section("OPTIONS")
		m.pages(cmd, pages)
	} else if flags := cmd.NonInheritedFlags(); flags.HasAvailableFlags() {
		m.section("OPTIONS")
		m.options(flags)
	}
	if cmd.HasParent() {
		m.commands(cmd)
	} else {
		m.program(cmd)
	}
	if cmd.Annotations[takesROS] != "" || !cmd.HasParent() {
		m.section("ROS ARGUMENTS", "After --ros-args, as for every ROS 2 program; a following -- ends them.")
		for _, a := range ROSArgumentHelp {
			m.entry(a[0], a[1])
		}
	}
	if !cmd.HasParent() {
		m.reference()
	}
	m.section("EXAMPLES")
	m.text(cmd.Example)
	also := "epuck-driver(1)"
	if !cmd.HasParent() {
		also = "systemctl(1), journalctl(1), ros2(1)"
	}
	m.section("SEE ALSO", also)
	return m.String()
}

// synopsis writes the usage lines of a command, or of all its sub-commands.
func (m *manual) synopsis(cmd *cobra.Command) {
	below := Documented(cmd)
	if len(below) == 0 || cmd.Runnable() {
		below = append([]*cobra.Command{cmd}, below...)
	}
	for _, c := range below {
		arguments := strings.TrimPrefix(c.Use, c.Name())
		fmt.Fprintf(m, ".br\n.B %s\n", Roff(c.CommandPath()))
		if arguments = strings.TrimSpace(arguments); arguments != "" {
			m.WriteString(Roff(arguments) + "\n")
		}
	}
}

// pages writes the flags and settings, one subsection per page of help.
func (m *manual) pages(cmd *cobra.Command, h *help) {
	for _, p := range h.Pages {
		fmt.Fprintf(m, ".SS %s\n", Roff(p.Title))
		for _, name := range p.Flags {
			if f := cmd.Flags().Lookup(name); f != nil {
				m.option(f, "--"+f.Name)
			}
		}
		for _, s := range h.Settings {
			if f := cmd.Flags().Lookup(s.Flag); f != nil && s.Page == p.Name && !s.World {
				m.option(f, "--set "+s.Key+"=")
			}
		}
		if p.Notes != "" {
			m.WriteString(".PP\n" + Roff(p.Notes) + "\n")
		}
	}
}

// commands writes the sub-commands of cmd, if it has any.
func (m *manual) commands(cmd *cobra.Command) {
	if len(Documented(cmd)) > 0 {
		m.section("COMMANDS")
	}
	for _, c := range Documented(cmd) {
		m.entry(c.Use, c.Short+"; see "+strings.ReplaceAll(c.CommandPath(), " ", "-")+"(1)")
	}
}

// program writes the part of the program's own page before the ROS arguments.
func (m *manual) program(root *cobra.Command) {
	m.WriteString(".PP\n" + Roff("As a system service it is started by systemd as epuck-driver.service, with the parameters of "+
		"/etc/epuck-driver/params.yaml.") + "\n")
	m.commands(root)
}

// reference writes the part of the program's own page after the ROS arguments.
func (m *manual) reference() {
	m.section("PARAMETERS", "Set with -p or a parameter file, or while the driver runs with epuck-driver param set; "+
		"the file /etc/epuck-driver/params.yaml has their defaults.")
	for _, p := range table.Parameters() {
		when := ""
		if p.Dynamic {
			when = "; can change while running"
		}
		m.entry(p.Name+" ("+p.TypeName()+")", p.Meaning+when)
	}
	m.section("ENVIRONMENT")
	for _, e := range Environment {
		m.entry(e[0], e[1])
	}
	m.section("FILES")
	for _, f := range installedFiles {
		m.entry(f[0], f[1])
	}
	m.section("EXIT STATUS", "0 after an orderly end (SIGINT and SIGTERM too), 1 when the work failed, 2 when the command line is wrong. "+
		"The commands topic, node, param and service have the statuses of the ros2 command.")
}

// Environment lists the environment variables that the program uses, with their meanings.
var Environment = [][2]string{
	{"ROS_DOMAIN_ID", "the network's domain, 0 to 232; robots and computers that communicate need the same"},
	{"ROS_LOCALHOST_ONLY", "1: communicate with programs of this machine only"},
	{"ROS_SECURITY_ENABLE", "true secures the network by the keys of the enclave; without valid keys there is a warning that it is NOT SECURED"},
	{"ROS_SECURITY_STRATEGY", "Enforce: refuse to start instead of the warning"},
	{"ROS_SECURITY_KEYSTORE", "folder of the keystore (epuck-driver security)"},
	{"ROS_SECURITY_ENCLAVE_OVERRIDE", "enclave to use instead of the one of --enclave"},
	{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT"},
	{"ROS_STATIC_PEERS", "further addresses of participants, separated by semicolons; for networks without multicast"},
}

// SystemParameters is the file with the service's parameters.
const SystemParameters = "/etc/epuck-driver/params.yaml"

var installedFiles = [][2]string{
	{SystemParameters, "the service's parameters; kept when the package is upgraded"},
	{"/etc/default/epuck-driver", "the service's environment: ROS_DOMAIN_ID and the like"},
	{"/usr/share/epuck-driver/ros", "ROS 2 launch and RViz files for the computer that works with the robot"},
}
