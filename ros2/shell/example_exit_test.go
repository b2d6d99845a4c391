// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"context"
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// Exit statuses of a command that succeeds, fails, has an invalid argument and is interrupted.
func ExampleRun() {
	network := ros2test.NewNetwork()
	env := shell.Env{
		Program: "mytool", Out: io.Discard, Err: io.Discard, Node: "_mytool", Types: msgs.Definition, TypeNames: msgs.Names(),
		Open: func() (ros2.Transport, error) { return network.NewTransport(), nil },
	}
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(shell.Run(context.Background(), env, []string{"topic", "list", "--spin-time", "0.1"}) == shell.ExitOK)
	fmt.Println(shell.Run(context.Background(), env, []string{"interface", "show", "no_such/msg/Type"}) == shell.ExitFailed)
	fmt.Println(shell.Run(context.Background(), env, []string{"topic", "list", "--no-such-flag"}) == shell.ExitUsage)
	fmt.Println(shell.Run(interrupted, env, []string{"topic", "echo", "/chatter", "std_msgs/msg/String"}) == shell.ExitInterrupted)
	// Output:
	// true
	// true
	// true
	// true
}
