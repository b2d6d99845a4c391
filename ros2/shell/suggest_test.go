// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// A name that does not exist gets the one that may have been meant: topics, nodes, services, types, parameters,
// actions.
func TestUnknownNamesGetSuggestion(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		_, err := w.node.DeclareParameter(ros2.ParameterDescriptor{Name: "wheel_radius", Default: ros2.DoubleValue(1)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewService(w.node, std_srvs.Trigger{}, "reset", trigger); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ line, want string }{
			{"topic info /robot/stat", "Unknown topic '/robot/stat'; did you mean '/robot/state'?"},
			{"topic info /state", "did you mean '/robot/state'?"},
			{"topic type /robot/sate", "Unknown topic '/robot/sate'; did you mean '/robot/state'?"},
			{"topic echo --once /robot/sate", "a publisher of /robot/sate: no node has one; did you mean '/robot/state'?"},
			{"topic hz /robot/sate", "a publisher of /robot/sate: no node has one; did you mean '/robot/state'?"},
			{"topic bw /robot/sate", "a publisher of /robot/sate: no node has one; did you mean '/robot/state'?"},
			{"topic find std_msgs/msg/Sting", "Unknown type 'std_msgs/msg/Sting'; did you mean 'std_msgs/msg/String'?"},
			{"topic pub /x std_msgs/msg/Sting", "The passed message type is invalid; did you mean 'std_msgs/msg/String'?"},
			{"node info /robot/drivr", "Unable to find node '/robot/drivr'; did you mean '/robot/driver'?"},
			{"param list /driver", "Node not found; did you mean '/robot/driver'?"},
			{"param get /robot/driver wheel_radios", "Parameter not set; did you mean 'wheel_radius'?"},
			{"param set /robot/driver wheel_radios 1.0", "; did you mean 'wheel_radius'?"},
			{"param delete /robot/driver wheel_radios", "; did you mean 'wheel_radius'?"},
			{"param describe /robot/driver wheel_radios", "There is no parameter 'wheel_radios'; did you mean 'wheel_radius'?"},
			{"service type /robot/rest", "Unknown service '/robot/rest'; did you mean '/robot/reset'?"},
			{"service find std_srvs/srv/Triger", "Unknown type 'std_srvs/srv/Triger'; did you mean 'std_srvs/srv/Trigger'?"},
			{"service call /robot/rest std_srvs/srv/Trigger", "waiting for a server of the service /robot/rest: no node has one; did you mean '/robot/reset'?"},
			{"service call /robot/reset std_srvs/srv/Triger", "The passed service type is invalid; did you mean 'std_srvs/srv/Trigger'?"},
			{"action send_goal /a example_interfaces/action/Fibonaci {}", "The passed action type is invalid; did you mean 'example_interfaces/action/Fibonacci'?"},
		} {
			if r := w.runFor(c.line, 5*time.Second); !strings.Contains(r.err, c.want) {
				t.Errorf("%s: %q, want %q", c.line, r.err, c.want)
			}
		}
	})
}

func trigger(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
	return &std_srvs.TriggerResponse{Success: true}, nil
}

// A service that has another type is not waited for: the error names its type.
func TestServiceCallWithWrongTypeFails(t *testing.T) {
	inWorld(t, func(w *world) {
		if _, err := ros2.NewService(w.node, std_srvs.Trigger{}, "reset", trigger); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		w.wantError("service call /robot/reset std_srvs/srv/Empty", "Service '/robot/reset' has the type 'std_srvs/srv/Trigger', not 'std_srvs/srv/Empty'\n", 1)
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("after %v", took)
		}
		// One that comes late is waited for.
		time.AfterFunc(time.Minute, func() {
			if _, err := ros2.NewService(w.node, std_srvs.Empty{}, "late", func(context.Context, *std_srvs.EmptyRequest) (*std_srvs.EmptyResponse, error) {
				return &std_srvs.EmptyResponse{}, nil
			}); err != nil {
				t.Error(err)
			}
		})
		if r := w.run("service call /robot/late std_srvs/srv/Empty"); r.status != 0 {
			t.Errorf("%d, %s", r.status, r.err)
		}
	})
}
