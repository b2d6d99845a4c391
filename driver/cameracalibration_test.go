// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// setInfo calls set_camera_info.
func (r *rig) setInfo(m sensor_msgs.CameraInfo) *sensor_msgs.SetCameraInfoResponse {
	r.Helper()
	c, err := ros2.NewClient(r.user, sensor_msgs.SetCameraInfo{}, table.ServiceCameraInfo)
	r.must(err)
	defer func() { r.must(c.Close()) }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	answer, err := c.Call(ctx, &sensor_msgs.SetCameraInfoRequest{CameraInfo: m})
	r.must(err)
	return answer
}

// TestCalibratorsServiceName: image_pipeline's cameracalibrator calls camera/set_camera_info, which does the same.
func TestCalibratorsServiceName(t *testing.T) {
	o, _ := withSmallCamera(t, "")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		c, err := ros2.NewClient(r.user, sensor_msgs.SetCameraInfo{}, "camera/set_camera_info")
		r.must(err)
		defer func() { r.must(c.Close()) }()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		answer, err := c.Call(ctx, &sensor_msgs.SetCameraInfoRequest{CameraInfo: pictures.InfoMessage(fresh())})
		if err != nil || !answer.Success {
			t.Errorf("%+v, %v", answer, err)
		}
		info := listenTo[sensor_msgs.CameraInfo](r, table.TopicCameraInfo)
		time.Sleep(3 * time.Second)
		if m := last(r, info); m.K != fresh().Scaled(smallWidth, smallHeight).K {
			t.Errorf("afterwards %v", m.K)
		}
	})
}

// fresh is a calibration that has just been made.
func fresh() *caminfo.Calibration {
	c := caminfo.Ideal("pipuck", 640, 480, 901, 902, 319, 239)
	c.D = []float64{-0.1, 0.02, 0.003, -0.004, 0}
	return c
}

// TestSetCameraInfo: a calibration is used at once, stored where camera_info_manager stores it, and used after the
// next start; an invalid one is refused with its field and changes nothing.
func TestSetCameraInfo(t *testing.T) {
	o, _ := withSmallCamera(t, "")
	path := filepath.Join(os.Getenv("ROS_HOME"), "camera_info", "pipuck.yaml")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		info := listenTo[sensor_msgs.CameraInfo](r, table.TopicCameraInfo)
		time.Sleep(3 * time.Second)
		if m := last(r, info); m.K != ownCalibration().Scaled(smallWidth, smallHeight).K {
			t.Errorf("at first %v", m.K)
		}
		if answer := r.setInfo(pictures.InfoMessage(fresh())); !answer.Success || !strings.Contains(answer.StatusMessage, path) {
			t.Errorf("%+v", answer)
		}
		time.Sleep(time.Second)
		if m := last(r, info); m.K != fresh().Scaled(smallWidth, smallHeight).K || m.D[0] != -0.1 {
			t.Errorf("afterwards %v", m.K)
		}
		if c, err := caminfo.Load(path); err != nil || c.K != fresh().K || c.Name != "pipuck" {
			t.Errorf("stored: %+v %v", c, err)
		}
		bad := pictures.InfoMessage(fresh())
		bad.K[4], bad.Width = -1, 320
		if answer := r.setInfo(bad); answer.Success || !strings.Contains(answer.StatusMessage, "camera_matrix") {
			t.Errorf("%+v", answer)
		}
		time.Sleep(time.Second)
		if m := last(r, info); m.K != fresh().Scaled(smallWidth, smallHeight).K {
			t.Errorf("an invalid one is used: %v", m.K)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		info := listenTo[sensor_msgs.CameraInfo](r, table.TopicCameraInfo)
		time.Sleep(3 * time.Second)
		if m := last(r, info); m.K != fresh().Scaled(smallWidth, smallHeight).K {
			t.Errorf("after another start %v", m.K)
		}
		r.must(os.RemoveAll(filepath.Dir(path)))
		r.must(os.WriteFile(filepath.Dir(path), nil, 0o644)) // no folder can be there
		other := fresh()
		other.K[0] = 950
		if answer := r.setInfo(pictures.InfoMessage(other)); answer.Success || answer.StatusMessage == "" {
			t.Errorf("%+v", answer)
		}
		time.Sleep(time.Second)
		if m := last(r, info); m.K != fresh().Scaled(smallWidth, smallHeight).K {
			t.Errorf("a calibration that could not be stored is used: %v", m.K)
		}
	})
}

// TestCalibrationWithoutHomeDirectory: without a home directory there are pictures, and the service reports why it
// can't store anything.
func TestCalibrationWithoutHomeDirectory(t *testing.T) {
	o, _ := withSmallCamera(t, "")
	t.Setenv("ROS_HOME", "")
	t.Setenv("HOME", "")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		info := listenTo[sensor_msgs.CameraInfo](r, table.TopicCameraInfo)
		time.Sleep(3 * time.Second)
		last(r, info)
		if answer := r.setInfo(pictures.InfoMessage(fresh())); answer.Success || !strings.Contains(answer.StatusMessage, "HOME") {
			t.Errorf("%+v", answer)
		}
	})
}
