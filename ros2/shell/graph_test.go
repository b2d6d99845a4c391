// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// populate creates topics and services on the node.
func (w *world) populate() {
	w.t.Helper()
	check := func(err error) {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	_, err := ros2.NewPublisher[std_msgs.String](w.node, "state", ros2.LatchedQoS())
	check(err)
	_, err = ros2.NewPublisher[std_msgs.Bool](w.node, "/_hidden/b", ros2.DefaultQoS())
	check(err)
	_, err = ros2.NewSubscription(w.node, "cmd_vel", ros2.SensorDataQoS(), func(*geometry_msgs.Twist, ros2.MessageInfo) {})
	check(err)
	_, err = ros2.NewPublisher[std_msgs.String](w.join("other", "/"), "/robot/state", ros2.DefaultQoS())
	check(err)
	_, err = ros2.NewClient(w.node, std_srvs.Trigger{}, "elsewhere")
	check(err)
}

func TestGraphTools(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		w.want("topic list", "/parameter_events\n/robot/cmd_vel\n/robot/state\n/rosout\n")
		w.want("topic list --no-daemon --spin-time 1 --include-hidden-topics", "/_hidden/b\n/parameter_events\n/robot/cmd_vel\n/robot/state\n/rosout\n")
		w.want("topic list -c", "4\n")
		w.want("topic list -t", "/parameter_events [rcl_interfaces/msg/ParameterEvent]\n/robot/cmd_vel [geometry_msgs/msg/Twist]\n"+
			"/robot/state [std_msgs/msg/String]\n/rosout [rcl_interfaces/msg/Log]\n")
		w.want("topic list -v", "Published topics:\n * /parameter_events [rcl_interfaces/msg/ParameterEvent] 2 publishers\n"+
			" * /robot/state [std_msgs/msg/String] 2 publishers\n * /rosout [rcl_interfaces/msg/Log] 2 publishers\n\n"+
			"Subscribed topics:\n * /robot/cmd_vel [geometry_msgs/msg/Twist] 1 subscriber\n\n")
		w.want("topic type /robot/state", "std_msgs/msg/String\n")
		w.want("topic find geometry_msgs/msg/Twist", "/robot/cmd_vel\n")
		w.want("topic find -c geometry_msgs/msg/Twist", "1\n")
		w.want("topic info /robot/state", "Type: std_msgs/msg/String\nPublisher count: 2\nSubscription count: 0\n")
		w.want("node list", "/other\n/robot/driver\n")
		w.want("node list -c", "2\n")
		w.want("service find std_srvs/srv/Trigger", "/robot/elsewhere\n")
		w.want("service type /robot/elsewhere", "std_srvs/srv/Trigger\n")
		w.want("node info /robot/driver", `/robot/driver
  Subscribers:
    /robot/cmd_vel: geometry_msgs/msg/Twist
  Publishers:
    /parameter_events: rcl_interfaces/msg/ParameterEvent
    /robot/state: std_msgs/msg/String
    /rosout: rcl_interfaces/msg/Log
  Service Servers:
    /robot/driver/describe_parameters: rcl_interfaces/srv/DescribeParameters
    /robot/driver/get_parameter_types: rcl_interfaces/srv/GetParameterTypes
    /robot/driver/get_parameters: rcl_interfaces/srv/GetParameters
    /robot/driver/get_type_description: type_description_interfaces/srv/GetTypeDescription
    /robot/driver/list_parameters: rcl_interfaces/srv/ListParameters
    /robot/driver/set_parameters: rcl_interfaces/srv/SetParameters
    /robot/driver/set_parameters_atomically: rcl_interfaces/srv/SetParametersAtomically
  Service Clients:
    /robot/elsewhere: std_srvs/srv/Trigger
  Action Servers:

  Action Clients:

`)
	})
}

func TestTopicInfoVerbose(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		r := w.run("topic info -v /robot/cmd_vel")
		want := `Type: geometry_msgs/msg/Twist

Publisher count: 0

Subscription count: 1

Node name: driver
Node namespace: /robot
Topic type: geometry_msgs/msg/Twist
Topic type hash: RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a
Endpoint type: SUBSCRIPTION
GID: `
		rest := `
QoS profile:
  Reliability: BEST_EFFORT
  History (Depth): KEEP_LAST (5)
  Durability: VOLATILE
  Lifespan: Infinite
  Deadline: Infinite
  Liveliness: AUTOMATIC
  Liveliness lease duration: Infinite

`
		const gid = 24*3 - 1
		if len(r.out) != len(want)+gid+len(rest) || r.out[:len(want)] != want || r.out[len(want)+gid:] != rest {
			t.Errorf("%s%s", r.out, r.err)
		}
	})
}

func TestGraphErrors(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		w.wantError("topic info /nope", "Unknown topic '/nope'\n", 1)
		w.wantError("topic type /nope", "", 1)
		w.wantError("service type /nope", "", 1)
		w.wantError("node info /nope", "Unable to find node '/nope'\n", 1)
		w.wantError("param get /nope x", "Node not found\n", 1)
		w.wantError("topic list -x", "tool topic list: error: unrecognized arguments: -x\n", 2)
		w.wantError("topic nope", "tool topic: error: invalid choice: 'nope' (choose from 'bw', 'delay', 'echo'", 2)
		w.wantError("nope", `tool: error: unknown command "nope" for "tool"`, 2)
		w.wantError("topic pub /c", "error: the following arguments are required: message_type\n", 2)
		w.wantError("topic pub -1 -t 2 /c std_msgs/msg/String", "error: argument -t/--times: not allowed with argument -1/--once\n", 2)
		w.wantError("topic pub -r 0 /c std_msgs/msg/String", "error: argument -r/--rate: invalid positive_float value: '0'\n", 2)
		w.wantError("topic pub --qos-reliability foo /c std_msgs/msg/String",
			"error: argument --qos-reliability: invalid choice: 'foo' (choose from 'system_default', 'reliable', 'best_effort', 'unknown')\n", 2)
		w.wantError("topic pub /c nope/msg/Nope", "The passed message type is invalid\n", 1)
		w.wantError("topic pub /c std_msgs/msg/String linear", "The passed value needs to be a dictionary in YAML format\n", 1)
		w.wantError("topic pub /c std_msgs/msg/UInt8 'data: 300'", "Failed to populate field: The 'data' field must be an unsigned integer in [0, 255]\n", 1)
		w.wantError("topic pub /c! std_msgs/msg/String", "character 3", 1)
		w.wantError("topic echo --field . /robot/state", "Invalid field value '.'\n", 1)
		w.wantError("topic echo /robot/state nope/msg/Nope", "The passed message type is invalid\n", 1)
		w.wantError("topic hz -w 0 /c", "value must be a positive integer", 2)
		w.wantError("topic hz /c extra", "unrecognized arguments: extra", 2)
		w.wantError("topic echo -l", "argument -l/--truncate-length: expected one argument", 2)
		w.wantError("topic echo --qos /c", "ambiguous option: --qos could match --qos-profile", 2)
		w.wantError("service call -r 0 /go std_srvs/srv/Trigger", "rate must be greater than zero\n", 1)
		w.wantError("service call /go std_srvs/srv/Nope", "The passed service type is invalid\n", 1)
		w.wantError("service call /go std_msgs/msg/Bool", "The passed type is not a service\n", 1)
		w.wantError("service call /go std_srvs/srv/SetBool '{nope: 1}'", "Failed to populate field: 'SetBool_Request' object has no attribute 'nope'\n", 1)
		w.wantError("service call /go std_srvs/srv/SetBool hi", "Failed to populate field: Value 'hi' is expected to be a dictionary but is a str\n", 1)
	})
}

func TestHelp(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, g := range []string{"node", "param", "service", "topic"} {
			if r := w.run(g); r.status != 0 || len(r.out) < 100 {
				t.Errorf("%s: %d %s%s", g, r.status, r.out, r.err)
			}
		}
		if r := w.run("topic pub --help"); r.status != 0 || len(r.out) < 1000 {
			t.Errorf("%d %s%s", r.status, r.out, r.err)
		}
	})
}
