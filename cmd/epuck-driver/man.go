// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver"
)

// runMan prints the manual page (roff): man -l <(epuck-driver man). The packages install what it prints, so the page
// says what the program can do and no more.
func runMan(_ context.Context, s streams, args []string) error {
	if len(args) != 0 {
		return usagef("takes no arguments, got %q", args)
	}
	fmt.Fprint(s.out, manPage(thisBuild()))
	return nil
}

// manPage renders the page from the tables of commands and parameters.
func manPage(b buildInfo) string {
	var m manual
	fmt.Fprintf(&m, ".TH EPUCK\\-DRIVER 1 %q %q \"User Commands\"\n", roff(b.Date), "epuck\\-driver "+roff(b.Version))
	m.section("NAME", "epuck-driver - makes an e-puck2 robot with a Pi-puck a ROS 2 robot")
	m.section("SYNOPSIS")
	for _, c := range commands() {
		fmt.Fprintf(&m, ".br\n.B epuck\\-driver %s\n", roff(c.name))
		if c.args != "" {
			m.WriteString(roff(c.args) + "\n")
		}
	}
	m.section("DESCRIPTION",
		"The program drives an e-puck2 from the Raspberry Pi of its Pi-puck extension and makes it a node of a ROS 2 network. "+
			"It speaks DDSI-RTPS itself: the robot needs no ROS 2 installation. Without a robot it simulates one.",
		"As a system service it is started by systemd as epuck-driver.service, with the parameters of /etc/epuck-driver/params.yaml.")
	m.section("COMMANDS")
	for _, c := range commands() {
		m.entry(strings.TrimSpace(c.name+" "+c.args), c.summary)
	}
	m.section("ROS ARGUMENTS", "After --ros-args, as for every ROS 2 program; a following -- ends them.")
	for _, a := range rosArguments {
		m.entry(a[0], a[1])
	}
	m.section("PARAMETERS", "Set with -p or a parameter file, or while the driver runs with epuck-driver param set; the file /etc/epuck-driver/params.yaml has their defaults.")
	for _, p := range driver.Parameters() {
		when := ""
		if p.Dynamic {
			when = "; can change while running"
		}
		m.entry(p.Name+" ("+p.TypeName()+")", p.Meaning+when)
	}
	m.section("ENVIRONMENT")
	for _, e := range environment {
		m.entry(e[0], e[1])
	}
	m.section("FILES")
	for _, f := range installedFiles {
		m.entry(f[0], f[1])
	}
	m.section("EXIT STATUS", "0 after an orderly end (SIGINT and SIGTERM too), 1 when the work failed, 2 when the command line is wrong. "+
		"The commands topic, node, param and service have the statuses of the ros2 command.")
	m.section("EXAMPLES")
	for _, e := range [][2]string{
		{"epuck-driver sim", "a simulated robot for every ROS 2 machine of this network"},
		{"epuck-driver drive 0.05 0.5 --for 4s", "an arc of 5 cm/s for four seconds"},
		{"epuck-driver topic echo /odom", "where the robot thinks it is"},
		{"journalctl -fu epuck-driver", "what the service says"},
	} {
		m.entry(e[0], e[1])
	}
	m.section("SEE ALSO", "systemctl(1), journalctl(1), ros2(1)")
	return m.String()
}

var rosArguments = [][2]string{
	{"-r FROM:=TO", "rename a topic or service; __ns:=/robot1 sets the namespace, __node:=NAME the node's name"},
	{"-p NAME:=VALUE", "set a parameter"},
	{"--params-file FILE", "set the parameters of a YAML file"},
	{"--log-level LEVEL", "debug, info, warn, error or fatal"},
}

var environment = [][2]string{
	{"ROS_DOMAIN_ID", "the network's domain, 0 to 232; robots and computers that shall talk have the same"},
	{"ROS_LOCALHOST_ONLY", "1: talk to programs of this machine only"},
	{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT"},
	{"ROS_STATIC_PEERS", "addresses to talk to beside those found, separated by semicolons; for networks without multicast"},
}

var installedFiles = [][2]string{
	{"/etc/epuck-driver/params.yaml", "the service's parameters; kept when the package is upgraded"},
	{"/etc/default/epuck-driver", "the service's environment: ROS_DOMAIN_ID and the like"},
	{"/usr/share/epuck-driver/ros", "ROS 2 launch and RViz files for the computer that works with the robot"},
}

// manual is a page being written.
type manual struct{ strings.Builder }

// section begins a section with its paragraphs.
func (m *manual) section(title string, paragraphs ...string) {
	fmt.Fprintf(m, ".SH %s\n", roff(title))
	for i, p := range paragraphs {
		if i > 0 {
			m.WriteString(".PP\n")
		}
		m.WriteString(roff(p) + "\n")
	}
}

// entry writes a term and what it means.
func (m *manual) entry(term, meaning string) {
	fmt.Fprintf(m, ".TP\n.B %s\n%s\n", roff(term), roff(meaning))
}

// roff escapes what the formatter would take for its own: backslashes, hyphens (which it may turn into other dashes),
// and a point or an apostrophe at the beginning of a line. The tables' marks of code (`name`) go.
func roff(s string) string {
	s = strings.NewReplacer("\\", "\\e", "-", "\\-", "`", "", "\n", " ", "\"", "\\(dq").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = "\\&" + s
	}
	return s
}
