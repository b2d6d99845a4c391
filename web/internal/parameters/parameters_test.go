// SPDX-License-Identifier: Apache-2.0

package parameters

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// newHub is a hub on a network with a node /robot; a standard one has the services that every ROS 2 node has.
func newHub(t *testing.T, standard bool) (*hub.Hub, *ros2.Node) {
	t.Helper()
	ether := ros2test.NewNetwork()
	robot, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: ether.NewTransport(), Standard: standard})
	if err != nil {
		t.Fatal(err)
	}
	h, err := hub.New(hub.Config{
		Transport: ether.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "web"}, Types: msgs.Definition,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(h.Close(), robot.Close()); err != nil {
			t.Error(err)
		}
	})
	return h, robot
}

func declare(t *testing.T, robot *ros2.Node, d ros2.ParameterDescriptor) {
	t.Helper()
	if _, err := robot.Parameters().Declare(d); err != nil {
		t.Fatal(err)
	}
}

func TestParametersOfANode(t *testing.T) {
	h, robot := newHub(t, true)
	declare(t, robot, ros2.ParameterDescriptor{Name: "gain", Default: ros2.DoubleValue(2)})
	declare(t, robot, ros2.ParameterDescriptor{Name: "bus", Default: ros2.StringValue("auto"), ReadOnly: true})
	ctx := t.Context()

	names, err := Names(ctx, h, "/robot")
	if err != nil || !slices.Contains(names, "gain") || !slices.Contains(names, "bus") {
		t.Fatalf("%q, %v", names, err)
	}
	all, err := All(ctx, h, "/robot")
	if err != nil || len(all) != len(names) {
		t.Fatalf("%d of %d: %v", len(all), len(names), err)
	}
	gain := Parameter{Name: "gain", Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: 3}}
	if err := Set(ctx, h, "/robot", gain); err != nil {
		t.Fatal(err)
	}
	got, err := Get(ctx, h, "/robot", []string{"bus", "gain"})
	if err != nil || len(got) != 2 || got[0].Value.StringValue != "auto" || got[1].Value.DoubleValue != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	// Asked for one that it does not have, a node answers with no value at all.
	got, err = Get(ctx, h, "/robot", []string{"gain", "none"})
	if err != nil || len(got) != 2 || got[0].Value.Type != 0 || got[1].Value.Type != 0 {
		t.Errorf("%+v, %v", got, err)
	}

	for _, refused := range []Parameter{
		{Name: "bus", Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeString, StringValue: "12"}},
		{Name: "gain", Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeString, StringValue: "12"}},
		{Name: "none", Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeBool}},
	} {
		err := Set(ctx, h, "/robot", refused)
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "/robot."+refused.Name) {
			t.Errorf("%s: %v", refused.Name, err)
		}
	}
	if got, err := Get(ctx, h, "/robot", nil); got != nil || err != nil {
		t.Errorf("nothing asked for: %v, %v", got, err)
	}
}

func TestNodesThatDoNotAnswer(t *testing.T) {
	h, _ := newHub(t, false)
	ctx := t.Context()
	if _, err := All(ctx, h, "/robot"); !errors.Is(err, hub.ErrNoService) {
		t.Errorf("All: %v", err)
	}
	if _, err := Get(ctx, h, "/robot", []string{"x"}); !errors.Is(err, hub.ErrNoService) {
		t.Errorf("Get: %v", err)
	}
	if err := Set(ctx, h, "/robot", Parameter{Name: "x"}); !errors.Is(err, hub.ErrNoService) {
		t.Errorf("Set: %v", err)
	}
}

// A node that answers with less than was asked for, as rclcpp does when one name is unknown.
func TestAnswersThatAreTooShort(t *testing.T) {
	h, robot := newHub(t, false)
	_, err := ros2.NewService(robot, rcl_interfaces.GetParameters{}, "~/get_parameters",
		func(context.Context, *rcl_interfaces.GetParametersRequest) (*rcl_interfaces.GetParametersResponse, error) {
			return &rcl_interfaces.GetParametersResponse{}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	_, err = ros2.NewService(robot, rcl_interfaces.SetParameters{}, "~/set_parameters",
		func(context.Context, *rcl_interfaces.SetParametersRequest) (*rcl_interfaces.SetParametersResponse, error) {
			return &rcl_interfaces.SetParametersResponse{}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Get(t.Context(), h, "/robot", []string{"a", "b"})
	if err != nil || len(got) != 2 || got[0].Name != "a" || got[1].Value.Type != rcl_interfaces.ParameterTypeNotSet {
		t.Errorf("%+v, %v", got, err)
	}
	if err := Set(t.Context(), h, "/robot", Parameter{Name: "a"}); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}

func TestNodesWithParameters(t *testing.T) {
	h, _ := newHub(t, true)
	g := h.Graph()
	if got := Nodes(&g); !slices.Equal(got, []string{"/robot"}) {
		t.Errorf("%q", got)
	}
	g = hub.Graph{Services: []hub.Service{
		{Name: "/a/list_parameters", Type: "rcl_interfaces/srv/ListParameters"},
		{Name: "/list_parameters", Type: "rcl_interfaces/srv/ListParameters"}, // of no node
		{Name: "/b/list_parameters", Type: "other/srv/ListParameters"},
		{Name: "/ns/c/list_parameters", Type: "rcl_interfaces/srv/ListParameters"},
	}}
	if got := Nodes(&g); !slices.Equal(got, []string{"/a", "/ns/c"}) {
		t.Errorf("%q", got)
	}
}

func TestCancelledQuestion(t *testing.T) {
	h, _ := newHub(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// A node in memory answers at once, so both may win; an error has to say why.
	if _, err := Names(ctx, h, "/robot"); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
