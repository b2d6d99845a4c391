// SPDX-License-Identifier: Apache-2.0

package pictures

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// calibrate loads the camera's calibration: from the file of a URL, else the known one, else none, which image_pipeline
// recognises. An invalid URL is an error; a missing or unreadable file is not, since a camera without calibration still
// delivers pictures.
func (p *Pictures) calibrate(url string, known *caminfo.Calibration) error {
	p.calibration.Store(caminfo.NotCalibrated(p.cfg.Settings.Name, camera.DefaultWidth, camera.DefaultHeight))
	if known != nil {
		p.calibration.Store(known)
	}
	if p.cfg.InMemory {
		return nil
	}
	p.file, p.fileErr = caminfo.Environment{}.Path(url, p.cfg.Settings.Name)
	if p.fileErr != nil {
		if url == "" { // no file was requested
			return nil
		}
		return fmt.Errorf("%w: %w", ErrURL, p.fileErr)
	}
	c, err := caminfo.Load(p.file)
	switch {
	case err == nil:
		p.calibration.Store(c)
		if c.Name != p.cfg.Settings.Name {
			p.cfg.Log.Warn("the calibration belongs to another camera", "file", p.file, "camera", c.Name, "camera_name", p.cfg.Settings.Name)
		}
	case errors.Is(err, os.ErrNotExist) && url == "":
		p.cfg.Log.Debug("the camera is not calibrated", "file", p.file)
	default:
		p.cfg.Log.Warn("the camera's calibration can't be read", "error", err)
	}
	return nil
}

// setInfo handles set_camera_info: the calibration is stored, then used. If it can't be stored it is not used.
func (p *Pictures) setInfo(_ context.Context, q *sensor_msgs.SetCameraInfoRequest) (*sensor_msgs.SetCameraInfoResponse, error) {
	c := calibrationOf(&q.CameraInfo, p.cfg.Settings.Name)
	err := c.Check()
	if err == nil && p.cfg.InMemory {
		p.calibration.Store(c)
		return &sensor_msgs.SetCameraInfoResponse{Success: true, StatusMessage: "used until the driver ends"}, nil
	}
	if err == nil {
		err = p.fileErr
	}
	if err == nil {
		err = caminfo.Save(p.file, c)
	}
	if err != nil {
		p.cfg.Log.Warn("calibration of the camera rejected", "error", err)
		return &sensor_msgs.SetCameraInfoResponse{StatusMessage: err.Error()}, nil
	}
	p.calibration.Store(c)
	p.cfg.Log.Info("new calibration of the camera", "file", p.file)
	return &sensor_msgs.SetCameraInfoResponse{Success: true, StatusMessage: "stored in " + p.file}, nil
}
