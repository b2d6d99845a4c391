// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// standardNode creates a node with the standard services and publishers.
func standardNode(t *testing.T, tr ros2.Transport, log *slog.Logger, args string) *ros2.Node {
	t.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Namespace: "/r", Transport: tr, Logger: log, Args: parse(t, args), Standard: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

func TestStandardEndpoints(t *testing.T) {
	for args, want := range map[string][]string{
		"": {
			"publisher /parameter_events rcl_interfaces/msg/ParameterEvent",
			"service /r/n/describe_parameters rcl_interfaces/srv/DescribeParameters",
			"service /r/n/get_parameter_types rcl_interfaces/srv/GetParameterTypes",
			"service /r/n/get_parameters rcl_interfaces/srv/GetParameters",
			"service /r/n/get_type_description type_description_interfaces/srv/GetTypeDescription",
			"service /r/n/list_parameters rcl_interfaces/srv/ListParameters",
			"service /r/n/set_parameters rcl_interfaces/srv/SetParameters",
			"service /r/n/set_parameters_atomically rcl_interfaces/srv/SetParametersAtomically",
			"publisher /rosout rcl_interfaces/msg/Log",
		},
		"--ros-args --disable-rosout-logs -p start_type_description_service:=false -r /parameter_events:=events -r n:rosservice://~/get_parameters:=get": {
			"publisher /r/events rcl_interfaces/msg/ParameterEvent",
			"service /r/get rcl_interfaces/srv/GetParameters",
			"service /r/n/describe_parameters rcl_interfaces/srv/DescribeParameters",
			"service /r/n/get_parameter_types rcl_interfaces/srv/GetParameterTypes",
			"service /r/n/list_parameters rcl_interfaces/srv/ListParameters",
			"service /r/n/set_parameters rcl_interfaces/srv/SetParameters",
			"service /r/n/set_parameters_atomically rcl_interfaces/srv/SetParametersAtomically",
		},
	} {
		tr := ros2test.NewTransport()
		n := standardNode(t, tr, nil, args)
		var got []string
		for _, e := range n.Graph().Endpoints {
			got = append(got, e.Kind.String()+" "+e.Topic+" "+e.Type)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", args, diff)
		}
		n.Close()
		if g := tr.Graph(); len(g.Endpoints) != 0 {
			t.Errorf("left after Close: %+v", g.Endpoints)
		}
		tr.Close()
	}
}

// asker calls the parameter services of /r/n.
type asker struct {
	*testing.T
	node *ros2.Node
}

// ask calls one service and returns the response.
func ask[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](a asker, s ros2.ServiceType[Req, Res], name string, request *Req) *Res {
	a.Helper()
	c, err := ros2.NewClient[Req, Res, PReq, PRes](a.node, s, "/r/n/"+name)
	if err != nil {
		a.Fatal(err)
	}
	defer c.Close()
	response, err := c.Call(a.Context(), request)
	if err != nil {
		a.Fatal(err)
	}
	return response
}

// withParameters runs a check with a node that has some parameters.
func withParameters(t *testing.T, check func(a asker, n *ros2.Node, tr *ros2test.Transport)) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := standardNode(t, tr, nil, "")
		declare(t, n.Parameters(),
			ros2.ParameterDescriptor{Name: "wheel_radius", Default: ros2.DoubleValue(0.02), FloatRange: ros2.FloatBetween(0, 1), Description: "metres"},
			ros2.ParameterDescriptor{Name: "camera.width", Default: ros2.IntegerValue(640), IntegerRange: ros2.IntegerBetween(1, 640)},
			ros2.ParameterDescriptor{Name: "mode", Default: ros2.StringValue("inf"), OneOf: []string{"inf", "nan"}, Constraints: "in REP 117"},
			ros2.ParameterDescriptor{Name: "fixed", Default: ros2.BoolArrayValue([]bool{true}), ReadOnly: true},
		)
		check(asker{t, newNode(t, tr, "asker")}, n, tr)
	})
}

func TestGetParameterServices(t *testing.T) {
	withParameters(t, func(a asker, _ *ros2.Node, _ *ros2test.Transport) {
		names := []string{"wheel_radius", "fixed"}
		values := ask(a, rcl_interfaces.GetParameters{}, "get_parameters", &rcl_interfaces.GetParametersRequest{Names: names}).Values
		if len(values) != 2 || values[0].Type != 3 || values[0].DoubleValue != 0.02 || values[1].Type != 6 || !values[1].BoolArrayValue[0] {
			a.Errorf("values %+v", values)
		}
		types := ask(a, rcl_interfaces.GetParameterTypes{}, "get_parameter_types", &rcl_interfaces.GetParameterTypesRequest{Names: names}).Types
		if !slices.Equal(types, []uint8{3, 6}) {
			a.Errorf("types %v", types)
		}
		// One name that is not declared empties the whole answer, as in rclcpp.
		names = append(names, "none")
		values = ask(a, rcl_interfaces.GetParameters{}, "get_parameters", &rcl_interfaces.GetParametersRequest{Names: names}).Values
		types = ask(a, rcl_interfaces.GetParameterTypes{}, "get_parameter_types", &rcl_interfaces.GetParameterTypesRequest{Names: names}).Types
		ds := ask(a, rcl_interfaces.DescribeParameters{}, "describe_parameters", &rcl_interfaces.DescribeParametersRequest{Names: names}).Descriptors
		if len(values)+len(types)+len(ds) != 0 {
			a.Errorf("with an unknown name: %v, %v, %v", values, types, ds)
		}
		list := ask(a, rcl_interfaces.ListParameters{}, "list_parameters", &rcl_interfaces.ListParametersRequest{}).Result
		if !slices.Equal(list.Names, []string{"camera.width", "fixed", "mode", "start_type_description_service", "use_sim_time", "wheel_radius"}) || !slices.Equal(list.Prefixes, []string{"camera"}) {
			a.Errorf("list %+v", list)
		}
		list = ask(a, rcl_interfaces.ListParameters{}, "list_parameters", &rcl_interfaces.ListParametersRequest{Depth: 1 << 63}).Result
		if len(list.Names) != 6 {
			a.Errorf("with a huge depth: %+v", list)
		}
	})
}

func TestDescribeParametersService(t *testing.T) {
	withParameters(t, func(a asker, _ *ros2.Node, _ *ros2test.Transport) {
		got := ask(a, rcl_interfaces.DescribeParameters{}, "describe_parameters",
			&rcl_interfaces.DescribeParametersRequest{Names: []string{"wheel_radius", "camera.width", "mode", "fixed"}}).Descriptors
		want := []rcl_interfaces.ParameterDescriptor{
			{Name: "wheel_radius", Type: 3, Description: "metres", FloatingPointRange: []rcl_interfaces.FloatingPointRange{{ToValue: 1}}},
			{Name: "camera.width", Type: 2, IntegerRange: []rcl_interfaces.IntegerRange{{FromValue: 1, ToValue: 640}}},
			{Name: "mode", Type: 4, AdditionalConstraints: "in REP 117\none of: inf, nan"},
			{Name: "fixed", Type: 6, ReadOnly: true},
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			a.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestSetParameterServicesAndEvents(t *testing.T) {
	withParameters(t, func(a asker, n *ros2.Node, _ *ros2test.Transport) {
		var events []*rcl_interfaces.ParameterEvent
		if _, err := ros2.NewSubscription(a.node, "/parameter_events", ros2.ParameterEventsQoS(),
			func(m *rcl_interfaces.ParameterEvent, _ ros2.MessageInfo) { events = append(events, m) }); err != nil {
			a.Fatal(err)
		}
		n.Parameters().OnSet(func(ps []ros2.Parameter) error {
			if ps[0].Value.Integer() == 13 {
				return errors.New("unlucky")
			}
			return nil
		})
		param := func(name string, v rcl_interfaces.ParameterValue) rcl_interfaces.Parameter {
			return rcl_interfaces.Parameter{Name: name, Value: v}
		}
		width := func(w int64) rcl_interfaces.Parameter {
			return param("camera.width", rcl_interfaces.ParameterValue{Type: 2, IntegerValue: w})
		}
		results := ask(a, rcl_interfaces.SetParameters{}, "set_parameters", &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{
			width(320), width(641), width(13), param("none", rcl_interfaces.ParameterValue{Type: 1}),
			param("fixed", rcl_interfaces.ParameterValue{Type: 6}), param("mode", rcl_interfaces.ParameterValue{Type: 99}),
			param("wheel_radius", rcl_interfaces.ParameterValue{Type: 2, IntegerValue: 1}), param("mode", rcl_interfaces.ParameterValue{}),
		}}).Results
		for i, reason := range []string{"", "range", "unlucky", "not declared", "read-only", "unknown type 99", "not integer", "statically typed"} {
			if r := results[i]; r.Successful != (reason == "") || !strings.Contains(r.Reason, reason) {
				a.Errorf("result %d: %+v, want %q", i, r, reason)
			}
		}
		atomic := func(ps ...rcl_interfaces.Parameter) rcl_interfaces.SetParametersResult {
			return ask(a, rcl_interfaces.SetParametersAtomically{}, "set_parameters_atomically",
				&rcl_interfaces.SetParametersAtomicallyRequest{Parameters: ps}).Result
		}
		mode := param("mode", rcl_interfaces.ParameterValue{Type: 4, StringValue: "nan"})
		if r := atomic(mode, width(0)); r.Successful || r.Reason == "" {
			a.Errorf("half a change: %+v", r)
		}
		if r := atomic(mode, width(100)); !r.Successful {
			a.Errorf("both: %+v", r)
		}
		declare(a, n.Parameters(), ros2.ParameterDescriptor{Name: "late", Default: ros2.IntegerValue(1)})
		if err := n.Parameters().Undeclare("late"); err != nil {
			a.Error(err)
		}
		synctest.Wait()
		var got []string
		for _, e := range events {
			if e.Node != "/r/n" || e.Stamp.Sec == 0 {
				a.Errorf("event %+v", e)
			}
			for kind, ps := range map[string][]rcl_interfaces.Parameter{"new": e.NewParameters, "changed": e.ChangedParameters, "deleted": e.DeletedParameters} {
				for _, p := range ps {
					got = append(got, kind+" "+p.Name)
				}
			}
		}
		if want := []string{"changed camera.width", "changed mode", "changed camera.width", "new late", "deleted late"}; !slices.Equal(got, want) {
			a.Errorf("events %q, want %q", got, want)
		}
	})
}

// The bytes of a call that ROS 2 Humble's "ros2 param get" made, and of the reply
// it got from a node of rclpy.
func TestGetParametersCaptured(t *testing.T) {
	withParameters(t, func(a asker, _ *ros2.Node, tr *ros2test.Transport) {
		request, _ := hex.DecodeString("00010000010000000d000000776865656c5f72616469757300")
		want := "00010000010000000300000000000000000000007b14ae47e17a943f01000000" + strings.Repeat("00", 24)
		var got string
		r, err := tr.NewRequester(ros2.ClientConfig{
			ServiceConfig: ros2.ServiceConfig{Name: "/r/n/get_parameters", Type: "rcl_interfaces/srv/GetParameters"},
			OnReply:       func(_ int64, s ros2.Sample) { got = hex.EncodeToString(s.Payload) },
		})
		if err != nil {
			a.Fatal(err)
		}
		if err := r.Send(1, request); err != nil {
			a.Fatal(err)
		}
		synctest.Wait()
		if got != want {
			a.Errorf("replied\n%s, want\n%s", got, want)
		}
	})
}
