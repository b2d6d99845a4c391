// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestSetCameraInfo: the camera's driver gets K, D and P, and what it refuses is reported.
func TestSetCameraInfo(t *testing.T) {
	ether := ros2test.NewNetwork()
	camera, err := ros2.NewNode(ros2.NodeConfig{Name: "camera", Transport: ether.NewTransport()})
	if err != nil {
		t.Fatal(err)
	}
	defer camera.Close()
	var got sensor_msgs.CameraInfo
	_, err = ros2.NewService[sensor_msgs.SetCameraInfoRequest, sensor_msgs.SetCameraInfoResponse](camera, sensor_msgs.SetCameraInfo{}, "set_camera_info",
		func(_ context.Context, q *sensor_msgs.SetCameraInfoRequest) (*sensor_msgs.SetCameraInfoResponse, error) {
			got = q.CameraInfo
			return &sensor_msgs.SetCameraInfoResponse{Success: q.CameraInfo.Width == 640, StatusMessage: "because"}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "calibrate", Transport: ether.NewTransport()})
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	r, err := NewRobot(node, "epuck_driver")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := caminfo.Ideal("pipuck", 640, 480, 500, 501, 320, 240)
	c.P[0] = 450
	if where, err := r.SetCameraInfo(t.Context(), c); err != nil || where != "because" || got.P[0] != 450 || got.K[4] != 501 || len(got.D) != 5 {
		t.Errorf("%+v, %q, %v", got, where, err)
	}
	c.Width = 320
	if _, err := r.SetCameraInfo(t.Context(), c); !errors.Is(err, errRefused) || !strings.Contains(err.Error(), "because") {
		t.Error(err)
	}
}
