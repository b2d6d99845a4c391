// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// evil clears a terminal, writes its clipboard, reverses letters, returns to the beginning of the line and is not
// UTF-8.
const evil = "\x1b[2J\x1b]52;c;Zm9v\a\u009b\u202e\r\x7f\xff"

// hostileRuns are the command lines with which each command meets the hostile participant; EVIL is for evil text on the
// command line itself, DIR for a folder of the test. Commands without a row are in quietCommands.
var hostileRuns = map[string][]string{
	"action info":       {"action info -t /evil", "action info EVIL"},
	"action list":       {"action list -t"},
	"action send_goal":  {"action send_goal /evil EVIL {}"},
	"bag info":          {"bag info DIR/EVIL"},
	"bag play":          {"bag play DIR/EVIL"},
	"bag record":        {"bag record -a -o DIR/bag --duration 2"},
	"bag recover":       {"bag recover DIR/EVIL"},
	"calibrate camera":  {"calibrate camera --store none"},
	"calibrate imu":     {"calibrate imu --store none --journal DIR/imu"},
	"calibrate ir":      {"calibrate ir --store none --journal DIR/ir"},
	"calibrate wheels":  {"calibrate wheels --store none --journal DIR/journal"},
	"component list":    {"component list"},
	"interface show":    {"interface show EVIL"},
	"interface proto":   {"interface proto EVIL"},
	"interface package": {"interface package EVIL"},
	"lifecycle get":     {"lifecycle get /epuck_driver", "lifecycle get"},
	"lifecycle list":    {"lifecycle list EVIL"},
	"lifecycle nodes":   {"lifecycle nodes -a"},
	"lifecycle set":     {"lifecycle set /epuck_driver EVIL"},
	"topic delay":       {"topic delay /odom"},
	"doctor":            {"doctor", "doctor --json"},
	"drive":             {"drive 0.01 0 --for 1s"},
	"goto":              {"goto 1 0"},
	"map":               {"map --file DIR/map"},
	"navigate":          {"navigate"},
	"node info":         {"node info /epuck_driver", "node info EVIL"},
	"node list":         {"node list -a"},
	"param delete":      {"param delete /epuck_driver EVIL"},
	"param describe":    {"param describe /epuck_driver evil"},
	"param dump":        {"param dump /epuck_driver"},
	"param get":         {"param get /epuck_driver evil", "param get --hide-type /epuck_driver evil"},
	"param list":        {"param list /epuck_driver --param-type"},
	"param load":        {"param load /epuck_driver DIR/EVIL"},
	"param set":         {"param set /epuck_driver EVIL 1"},
	"path":              {"path DIR/EVIL"},
	"service call":      {"service call /evil std_srvs/srv/Trigger"},
	"service find":      {"service find std_srvs/srv/Trigger"},
	"service list":      {"service list -t"},
	"service type":      {"service type /evil", "service type EVIL"},
	"sim order-diff":    {"sim order-diff DIR/EVIL DIR/EVIL"},
	"sim delete":        {"sim delete EVIL"},
	"sim list":          {"sim list"},
	"sim pause":         {"sim pause"},
	"sim reset":         {"sim reset"},
	"sim resume":        {"sim resume"},
	"sim state":         {"sim state"},
	"sim step":          {"sim step"},
	"sim spawn":         {"sim spawn EVIL"},
	"teleop":            {"teleop"},
	"topic bw":          {"topic bw /evil"},
	"topic echo":        {"topic echo --once /evil", "topic echo --once --csv /evil", "topic echo --once --field data /evil", "topic echo --once /odom"},
	"topic find":        {"topic find std_msgs/msg/String"},
	"topic hz":          {"topic hz /evil"},
	"topic info":        {"topic info -v /evil", "topic info EVIL"},
	"topic list":        {"topic list -t", "topic list -v"},
	"topic pub":         {"topic pub -1 -w 0 /a std_msgs/msg/String {EVIL:1}"},
	"topic type":        {"topic type /evil"},
	"web":               {"web --address localhost:0"},
}

// quietCommands print nothing of a network, and why.
var quietCommands = map[string]string{
	"acceptance": "measures a robot without a network", "acceptance compare": "reads files, whose text it escapes", "acceptance replay": "reads files, whose text it escapes", "sim faults": "prints what this program knows",
	"calibrate show": "reads this machine's files", "completion": "prints a script", "man": "prints manual pages", "version": "is about the program",
	"interface list": "prints what this program knows", "interface packages": "prints what this program knows",
	"estimate": "runs a program", "estimate calibrate": "measures this machine", "experiment": "runs without a network",
	"experiment collect": "reads files of experiments", "experiment run": "runs without a network", "experiment submit": "runs without a network",
	"experiment task":       "runs without a network",
	"security create_class": "makes files", "security create_enclave": "makes files", "security create_keystore": "makes files",
	"security create_permission": "makes files", "security list_enclaves": "reads files",
	"robots frames": "reads descriptions", "robots list": "reads descriptions", "robots show": "reads descriptions", "robots urdf": "reads descriptions",
	"run": "needs a robot; its log is the one of sim", "sim": "its log is that of package tty (TestConsoleEscapes)", "stop": "needs a robot",
	"sim run": "is the same as sim", "sim schema": "prints what this program knows",
}

// hostile is a participant that uses evil text wherever the network carries some, from its own name to what it
// publishes.
func hostile(t *testing.T) {
	t.Helper()
	transport, err := localTransport()
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	check(err)
	p, err := rtps.NewParticipant(rtps.Config{DomainID: cfg.DomainID, Name: evil, LocalhostOnly: true, NoMulticast: true})
	check(err)
	for _, e := range [][2]string{{"rt/evil2", "a::msg::dds_::B" + evil + "_"}, {"rt/x" + evil, "a::msg::dds_::B_"}} {
		_, err := p.NewWriter(rtps.WriterConfig{Topic: e[0], Type: e[1], UserData: []byte("typehash=" + evil + ";"), QoS: wire.DefaultWriterQoS()})
		check(err)
	}
	check(transport.AddNode(ros2.NodeName{Namespace: "/" + evil, Name: evil}))
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "epuck_driver", Transport: transport, Standard: true, Logger: slog.New(slog.DiscardHandler)})
	check(err)
	_, err = node.DeclareParameter(ros2.ParameterDescriptor{Name: "evil", Default: ros2.StringValue(evil), Description: evil, Constraints: evil})
	check(err)
	for _, name := range []string{"evil", "reset_odometry", "calibrate_imu", "calibrate_proximity"} {
		_, err = ros2.NewService(node, std_srvs.Trigger{}, name, func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
			return &std_srvs.TriggerResponse{Message: evil}, nil
		})
		check(err)
	}
	_, err = ros2.NewSubscription(node, "cmd_vel", ros2.DefaultQoS(), func(*geometry_msgs.Twist, ros2.MessageInfo) {})
	check(err)
	said, err := ros2.NewPublisher[std_msgs.String](node, "evil", ros2.LatchedQoS())
	check(err)
	odom, err := ros2.NewPublisher[nav_msgs.Odometry](node, "odom", ros2.SensorDataQoS())
	check(err)
	ranges, err := ros2.NewPublisher[sensor_msgs.Range](node, "ps0", ros2.SensorDataQoS())
	check(err)
	ctx, cancel := context.WithCancel(t.Context())
	var publishing sync.WaitGroup
	publishing.Go(func() {
		for tick := time.NewTicker(50 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			header := std_msgs.Header{FrameID: evil}
			_ = said.Publish(&std_msgs.String{Data: evil + "\n" + evil})
			_ = odom.Publish(&nav_msgs.Odometry{Header: header, ChildFrameID: evil})
			_ = ranges.Publish(&sensor_msgs.Range{Header: header})
		}
	})
	t.Cleanup(func() {
		cancel()
		publishing.Wait()
		_, _, _ = node.Close(), transport.Close(), p.Close()
	})
}

// Whatever a participant of the network is called, publishes and answers, no command prints its control characters.
func TestCommandsEscapeTextOfTheNetwork(t *testing.T) {
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(os.Getpid()%100+100))
	t.Setenv("ROS_HOME", t.TempDir())
	hostile(t)
	dir := t.TempDir()
	places := make(chan struct{}, 12) // fewer than discovery on the loopback finds
	var all sync.WaitGroup
	for path, lines := range hostileRuns {
		for _, line := range lines {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				meetHostile(t, path, line, dir)
			})
		}
	}
	all.Wait()
}

// meetHostile runs a command for some seconds and checks what it prints.
func meetHostile(t *testing.T, path, line, dir string) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	args := strings.Fields(line)
	for i := range args {
		args[i] = strings.NewReplacer("EVIL", evil, "DIR", dir).Replace(args[i])
	}
	var out, errs bytes.Buffer
	_ = frame.Dispatch(ctx, frame.Streams{Out: &out, Err: &errs}, args, commandGroups())
	for _, text := range []string{out.String(), errs.String()} {
		at := strings.IndexFunc(text, func(r rune) bool { return !printable.IsPrintable(r) && r != '\n' && r != '\t' })
		if at >= 0 || !utf8.ValidString(text) {
			t.Errorf("%s: control character at byte %d of %q", line, at, text)
		}
	}
	if path == "teleop" && !strings.Contains(out.String(), "e/c  faster/slower, turning") {
		t.Errorf("teleop does not show its keys: %q", out.String())
	}
	if testing.Verbose() {
		t.Logf("%s: %q %q", path, out.String(), errs.String())
	}
}

// Every command is attacked, or has its reason.
func TestEveryCommandMeetsHostileText(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		path := strings.Join(words(c), " ")
		if !c.Runnable() || c.HasSubCommands() && c.Name() != "sim" && c.Name() != "estimate" {
			return
		}
		if hostileRuns[path] == nil && quietCommands[path] == "" {
			t.Errorf("%s: it needs a row in hostileRuns, or in quietCommands with the reason", path)
		}
	})
}
