// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A managed node is configured, activated and shut down. Callbacks run in the transition states; an error that wraps
// ErrLifecycle leads to error processing.
func ExampleLifecycle_Change() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "camera", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	var life *ros2.Lifecycle
	unplugged := false
	during := func(want ros2.LifecycleState) func(context.Context) error {
		return func(context.Context) error {
			fmt.Println(" ", life.State(), life.State() == want)
			if want == ros2.Activating && unplugged {
				return fmt.Errorf("%w: no device", ros2.ErrLifecycle)
			}
			return nil
		}
	}
	life, err = ros2.NewLifecycle(node, ros2.LifecycleCallbacks{
		Configure: during(ros2.Configuring), Activate: during(ros2.Activating), Deactivate: during(ros2.Deactivating),
		Cleanup: during(ros2.CleaningUp), Shutdown: during(ros2.ShuttingDown),
		Error: func(context.Context, error) error {
			fmt.Println(" ", life.State(), life.State() == ros2.ErrorProcessing)
			return nil // the error is handled
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	change := func(label string, want ros2.LifecycleState) {
		err := life.Change(context.Background(), label)
		fmt.Println(life.State(), life.State() == want, errors.Is(err, ros2.ErrTransition), errors.Is(err, ros2.ErrLifecycle))
	}
	change("activate", ros2.Unconfigured) // there is no such transition
	change("configure", ros2.Inactive)
	change("activate", ros2.Active)
	change("deactivate", ros2.Inactive)
	unplugged = true
	change("activate", ros2.Unconfigured)
	change("configure", ros2.Inactive)
	change("cleanup", ros2.Unconfigured)
	change("shutdown", ros2.Finalized)
	// Output:
	// unconfigured true true false
	//   configuring true
	// inactive true false false
	//   activating true
	// active true false false
	//   deactivating true
	// inactive true false false
	//   activating true
	//   errorprocessing true
	// unconfigured true false true
	//   configuring true
	// inactive true false false
	//   cleaningup true
	// unconfigured true false false
	//   shuttingdown true
	// finalized true false false
}

// Tools that should match every endpoint use the best available policies. The zero QoS is ROS's default profile.
func ExampleQoS() {
	best := ros2.BestAvailableQoS()
	fmt.Println(best.Reliability == ros2.ReliabilityBestAvailable, best.Durability == ros2.DurabilityBestAvailable,
		best.Liveliness == ros2.LivelinessBestAvailable, best.Deadline == ros2.PeriodBestAvailable)
	fmt.Println(ros2.QoS{}.EffectiveDepth() == ros2.DefaultDepth, ros2.SystemDefaultQoS() == ros2.DefaultQoS())

	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	_, err = ros2.NewPublisher[chatter](node, "chatter", ros2.QoS{Depth: -1})
	fmt.Println(err, errors.Is(err, ros2.ErrQoS))
	// Output:
	// true true true true
	// true true
	// publisher of "chatter": bad quality of service: depth -1 is negative true
}

// Log levels and the destinations of log lines are ROS arguments. Errors name the argument.
func ExampleArgs_LogLevel() {
	args, _, err := ros2.ParseArgs([]string{
		"--ros-args", "--log-level", "warn", "--log-level", "driver.bus:=debug", "--disable-rosout-logs",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(args.LogLevel("driver"), args.LogLevel("driver.bus"), args.RosoutLogs(), args.StdoutLogs())

	_, _, err = ros2.ParseArgs([]string{"--ros-args", "--log-level"})
	fmt.Println(err, errors.Is(err, ros2.ErrArguments))
	_, _, err = ros2.ParseArgs([]string{"--ros-args", "--params-file", "/no/such/file.yaml"})
	fmt.Println(errors.Is(err, ros2.ErrParamsFile))
	// Output:
	// WARN DEBUG false true
	// bad ROS argument: --log-level has no value true
	// true
}

// Names are validated as a program writes them. The error has the position of the invalid character.
func ExampleValidateName() {
	fmt.Println(ros2.ValidateName("~/scan"), ros2.ValidateName("{node}/scan"))
	err := ros2.ValidateName("left scan")
	if invalid := (*ros2.NameError)(nil); errors.As(err, &invalid) {
		fmt.Println(invalid.What, invalid.Pos, invalid.Reason)
	}
	fmt.Println(err)
	// Output:
	// <nil> <nil>
	// topic name 4 only letters, digits, underscores and slashes are allowed
	// invalid topic name "left scan": only letters, digits, underscores and slashes are allowed (character 5)
}

// Arrays are parameters, too. Overrides of the command line without a declared parameter are probably misspelt.
func ExampleParameters_UnusedOverrides() {
	args, _, err := ros2.ParseArgs([]string{
		"--ros-args", "-p", "gains:=[1, 2, 3]", "-p", "enabled:=[true, false]", "-p", "gians:=[4]",
	})
	if err != nil {
		log.Fatal(err)
	}
	parameters := ros2.NewParameters(args, ros2.NodeName{Namespace: "/", Name: "driver"})
	for _, d := range []ros2.ParameterDescriptor{
		{Name: "gains", Default: ros2.IntegerArrayValue(nil)},
		{Name: "enabled", Default: ros2.BoolArrayValue(nil)},
		{Name: "key", Default: ros2.ByteArrayValue([]byte{0x1f})},
	} {
		if _, err := parameters.Declare(d); err != nil {
			log.Fatal(err)
		}
	}
	gains, _ := parameters.Get("gains")
	enabled, _ := parameters.Get("enabled")
	key, _ := parameters.Get("key")
	fmt.Println(gains.IntegerArray(), enabled.BoolArray(), key.ByteArray(), parameters.UnusedOverrides())
	_, err = parameters.Get("gians")
	fmt.Println(err, errors.Is(err, ros2.ErrNotDeclared))
	// Output:
	// [1 2 3] [true false] [31] [gians]
	// parameter not declared: "gians" true
}
