// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// serve offers a switch on the node.
func (w *world) serve() {
	w.t.Helper()
	_, err := ros2.NewService(w.node, std_srvs.SetBool{}, "switch", func(_ context.Context, q *std_srvs.SetBoolRequest) (*std_srvs.SetBoolResponse, error) {
		return &std_srvs.SetBoolResponse{Success: q.Data, Message: "it's done"}, nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestServiceCall(t *testing.T) {
	inWorld(t, func(w *world) {
		w.serve()
		w.want("service call /robot/switch std_srvs/srv/SetBool '{data: true}'", "requester: making request: std_srvs.srv.SetBool_Request(data=True)\n\n"+
			"response:\nstd_srvs.srv.SetBool_Response(success=True, message=\"it's done\")\n\n")
		w.want("service call /robot/switch std_srvs/SetBool", "requester: making request: std_srvs.srv.SetBool_Request(data=False)\n\n"+
			"response:\nstd_srvs.srv.SetBool_Response(success=False, message=\"it's done\")\n\n")
		r := w.runFor("service call -r 2 /robot/switch std_srvs/SetBool", 1100*time.Millisecond)
		if strings.Count(r.out, "response:") != 3 || r.status != shell.ExitInterrupted {
			t.Errorf("%+v", r)
		}
		w.want("service list -t", "/robot/driver/describe_parameters [rcl_interfaces/srv/DescribeParameters]\n"+
			"/robot/driver/get_parameter_types [rcl_interfaces/srv/GetParameterTypes]\n"+
			"/robot/driver/get_parameters [rcl_interfaces/srv/GetParameters]\n"+
			"/robot/driver/get_type_description [type_description_interfaces/srv/GetTypeDescription]\n"+
			"/robot/driver/list_parameters [rcl_interfaces/srv/ListParameters]\n"+
			"/robot/driver/set_parameters [rcl_interfaces/srv/SetParameters]\n"+
			"/robot/driver/set_parameters_atomically [rcl_interfaces/srv/SetParametersAtomically]\n"+
			"/robot/switch [std_srvs/srv/SetBool]\n")
		w.want("service list --count-services", "8\n")
	})
}

func TestServiceCallWaits(t *testing.T) {
	inWorld(t, func(w *world) {
		go func() {
			time.Sleep(time.Minute)
			w.serve()
		}()
		r := w.run("service call /robot/switch std_srvs/srv/SetBool")
		if !strings.HasPrefix(r.out, "waiting for service to become available...\nrequester: ") || r.status != 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestComplete(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		w.serve()
		w.declare()
		for line, want := range map[string]string{
			"to":                                    "topic",
			"topic e":                               "echo",
			"topic echo /robot/":                    "/robot/cmd_vel /robot/state",
			"topic echo --once /robot/s":            "/robot/state",
			"topic echo /robot/state ":              "std_msgs/msg/String",
			"topic pub /new geometry_msgs/msg/Tw":   "geometry_msgs/msg/Twist geometry_msgs/msg/TwistStamped geometry_msgs/msg/TwistWithCovariance geometry_msgs/msg/TwistWithCovarianceStamped",
			"topic pub /c std_msgs/msg/Bool ":       "{data: false}",
			"topic pub --qos-d":                     "--qos-depth --qos-durability",
			"topic pub --qos-durability ":           "system_default transient_local volatile unknown",
			"topic pub --rate ":                     "",
			"topic pub /c std_msgs/msg/Bool x ":     "",
			"topic list ":                           "",
			"node info /":                           "/other /robot/driver",
			"param get /robot/driver ca":            "cam.deep.flags cam.width",
			"param describe /robot/driver rate ca":  "cam.deep.flags cam.width",
			"service call /robot/sw":                "/robot/switch",
			"service call /robot/switch ":           "std_srvs/srv/SetBool",
			"service call /x std_srvs/srv/S":        "std_srvs/srv/SetBool",
			"service call /x std_srvs/srv/SetBool ": "{data: false}",
			"topic nope ":                           "",
		} {
			words := split(line)
			if strings.HasSuffix(line, " ") {
				words = append(words, "")
			}
			if got := strings.Join(w.complete(words), " "); got != want {
				t.Errorf("%q: %s, want %s", line, got, want)
			}
		}
	})
}

// complete returns what the shells offer for the last of the words, without the descriptions.
func (w *world) complete(words []string) []string {
	w.t.Helper()
	var out, errs bytes.Buffer
	if status := shell.Run(w.t.Context(), w.env(&out, &errs), append([]string{"__complete"}, words...)); status != shell.ExitOK {
		w.t.Errorf("%q: status %d: %s", words, status, errs.String())
	}
	var offered []string
	for line := range strings.Lines(out.String()) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && word[0] != ':' && word != "_activeHelp_" {
			offered = append(offered, word)
		}
	}
	return offered
}
