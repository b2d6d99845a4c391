// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// ownCalibration is what the tests' camera is known to have.
func ownCalibration() *caminfo.Calibration {
	return caminfo.Ideal("pipuck", 640, 480, vcamera.FocalX, vcamera.FocalY, vcamera.CenterX, vcamera.CenterY)
}

// filmed are the options of a rig in the coloured world, its camera included. Calibrations are kept in a folder of the
// test's.
func filmed(t *testing.T, args string) rigOptions {
	t.Helper()
	t.Setenv("ROS_HOME", t.TempDir())
	return rigOptions{world: "camera", parts: true, camera: true, args: args, config: func(c *Config) { c.CameraCalibration = ownCalibration() }}
}

// views subscribes to the three topics.
func views(r *rig) (raw func() []*sensor_msgs.Image, jpg func() []*sensor_msgs.CompressedImage, info func() []*sensor_msgs.CameraInfo) {
	return listenTo[sensor_msgs.Image](r, table.TopicImage), listenTo[sensor_msgs.CompressedImage](r, table.TopicJPEG),
		listenTo[sensor_msgs.CameraInfo](r, table.TopicCameraInfo)
}

// rgbOf is the pixel of a YUYV frame with all values, as BT.601 has it: an own reading, in floating point.
func rgbOf(frame []byte, x, y int) (rgb [3]float64) {
	i := (y*640 + x) / 2 * 4
	l, u, v := float64(frame[i+x%2*2]), float64(frame[i+1])-128, float64(frame[i+3])-128
	for k, c := range [3]float64{l + 1.402*v, l - 0.344136*u - 0.714136*v, l + 1.772*u} {
		rgb[k] = max(0, min(255, c))
	}
	return rgb
}

// TestPictures: a subscriber of all three topics gets the camera's picture, raw and as JPEG, and its calibration,
// with the same stamps, frame and size, at 15 Hz.
func TestPictures(t *testing.T) {
	o := filmed(t, "-p frame_prefix:=r1/")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		time.Sleep(2 * time.Second)
		raw, jpg, info := views(r)
		time.Sleep(time.Second)
		if n := len(raw()); n < 13 || n > 15 {
			t.Errorf("%d pictures in a second", n)
		}
		truth := r.robot.Picture(nil)
		m := raw()[5]
		if m.Encoding != "rgb8" || m.Width != 640 || m.Height != 480 || m.Step != 1920 || len(m.Data) != 921600 || m.IsBigendian != 0 {
			t.Fatalf("%s %d×%d, step %d, %d bytes", m.Encoding, m.Width, m.Height, m.Step, len(m.Data))
		}
		for y := 0; y < 480; y += 7 {
			for x := 0; x < 640; x += 3 {
				want := rgbOf(truth, x, y)
				for k, w := range want {
					if got := float64(m.Data[y*1920+3*x+k]); math.Abs(got-w) > 2 {
						t.Fatalf("channel %d of (%d, %d): %g, want %g", k, x, y, got, w)
					}
				}
			}
		}
		for i, c := range jpg() {
			j, k := slices.IndexFunc(raw(), func(m *sensor_msgs.Image) bool { return m.Header == c.Header }),
				slices.IndexFunc(info(), func(m *sensor_msgs.CameraInfo) bool { return m.Header == c.Header })
			if j < 0 || k < 0 {
				t.Fatalf("picture %d of %v has no other of its stamp and frame", i, c.Header)
			}
			if c.Header.FrameID != "r1/camera_optical_frame" || c.Format != "rgb8; jpeg compressed bgr8" {
				t.Errorf("frame %q, format %q", c.Header.FrameID, c.Format)
			}
			if n := info()[k]; n.Width != 640 || n.Height != 480 || n.K != ownCalibration().K || n.P != ownCalibration().P || n.DistortionModel != "plumb_bob" || len(n.D) != 5 {
				t.Errorf("%+v", n)
			}
		}
		wantLike(t, jpg()[5].Data, m)
	})
}

// wantLike compares a JPEG file with a raw picture.
func wantLike(t *testing.T, file []byte, m *sensor_msgs.Image) {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Size() != image.Pt(int(m.Width), int(m.Height)) {
		t.Fatalf("%v, raw is %d×%d", img.Bounds(), m.Width, m.Height)
	}
	var squares float64
	for y := range int(m.Height) {
		for x := range int(m.Width) {
			red, green, blue, _ := img.At(x, y).RGBA()
			for k, v := range [3]uint32{red, green, blue} {
				d := float64(v>>8) - float64(m.Data[y*int(m.Step)+3*x+k])
				squares += d * d
			}
		}
	}
	if psnr := 10 * math.Log10(255*255*float64(m.Width*m.Height*3)/squares); psnr < 30 {
		t.Errorf("JPEG and raw differ: %.1f dB", psnr)
	}
}

// TestSlowNetworkOnlyDropsPictures: a network that takes a second for each raw picture drops pictures of that topic
// only: the JPEG topic and the control loop are not affected, and the next picture is the newest.
func TestSlowNetworkOnlyDropsPictures(t *testing.T) {
	o, _ := withSmallCamera(t, "")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		time.Sleep(2 * time.Second)
		release := make(chan struct{})
		var got []*sensor_msgs.Image
		var late []time.Duration
		full, err := r.user.ResolveName(table.TopicImage)
		r.must(err)
		kind := new(sensor_msgs.Image)
		_, err = r.user.Transport().NewReader(ros2.ReaderConfig{
			EndpointConfig: ros2.EndpointConfig{
				Node: r.user.Name(), Topic: full, Type: kind.ROSType(), TypeHash: kind.TypeHash(), QoS: ros2.DefaultQoS(),
				OnMatch: func(int) {}, OnIncompatible: func(ros2.EndpointInfo, ros2.QoSPolicy) {},
			},
			OnSample: func(s ros2.Sample) {
				var m sensor_msgs.Image
				if err := cdr.Unmarshal(s.Payload, &m); err != nil {
					t.Error(err)
				}
				got, late = append(got, &m), append(late, time.Since(ros2.FromStamp(m.Header.Stamp.Sec, m.Header.Stamp.Nanosec)))
				select {
				case <-time.After(time.Second):
				case <-release:
				}
			},
		})
		r.must(err)
		jpg := listenTo[sensor_msgs.CompressedImage](r, table.TopicJPEG)
		odom := listenTo[nav_msgs.Odometry](r, table.TopicOdom)
		time.Sleep(100 * time.Millisecond)
		before, jpgs := len(odom()), len(jpg())
		overruns := r.driver.Status().Overruns
		time.Sleep(4 * time.Second)
		if n := len(odom()) - before; n < 79 || n > 81 {
			t.Errorf("%d cycles in four seconds", n)
		}
		if n := r.driver.Status().Overruns - overruns; n != 0 {
			t.Errorf("%d cycles left out", n)
		}
		if n := len(jpg()) - jpgs; n < 58 || n > 61 {
			t.Errorf("%d JPEG files in four seconds", n)
		}
		close(release)
		synctest.Wait()
		if len(got) < 4 || len(got) > 6 {
			t.Errorf("%d pictures at one a second", len(got))
		}
		for i, d := range late {
			if d > 150*time.Millisecond {
				t.Errorf("picture %d is %v old: not the newest", i, d)
			}
		}
		r.must(r.driver.Close()) // before the reader
	})
}

// TestCameraParameters: dynamic parameters take effect while pictures arrive; invalid values are refused with the
// reason and change nothing.
func TestCameraParameters(t *testing.T) {
	o, _ := withSmallCamera(t, "-p camera.framerate:=10.0")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, o)
		raw, jpg, info := views(r)
		set := func(name string, v ros2.ParameterValue) error {
			return r.node.Parameters().SetAtomically(ros2.Parameter{Name: name, Value: v})
		}
		time.Sleep(3 * time.Second)
		before := len(raw())
		time.Sleep(2 * time.Second)
		if n := len(raw()) - before; n < 19 || n > 21 {
			t.Errorf("%d pictures in two seconds at 10 Hz", n)
		}
		r.must(set(table.ParamCameraRate, ros2.DoubleValue(2)))
		time.Sleep(time.Second)
		before = len(raw())
		time.Sleep(4 * time.Second)
		if n := len(raw()) - before; n < 7 || n > 9 {
			t.Errorf("%d pictures in four seconds at 2 Hz", n)
		}
		r.must(set(table.ParamCameraRate, ros2.DoubleValue(15)))
		for _, encoding := range camera.RawEncodings() {
			r.must(set(table.ParamCameraEncoding, ros2.StringValue(string(encoding))))
			time.Sleep(time.Second)
			bytes := map[camera.Encoding]int{camera.Mono8: 1, camera.YUV422YUY2: 2, camera.RGB8: 3, camera.BGR8: 3}[encoding]
			if m := last(r, raw); m.Encoding != string(encoding) || int(m.Step) != smallWidth*bytes || len(m.Data) != smallWidth*smallHeight*bytes {
				t.Errorf("%s: %s with rows of %d, %d bytes", encoding, m.Encoding, m.Step, len(m.Data))
			}
		}
		r.must(set(table.ParamCameraEncoding, ros2.StringValue("rgb8")))
		fine := len(last(r, jpg).Data)
		r.must(set(table.ParamCameraQuality, ros2.IntegerValue(10)))
		time.Sleep(time.Second)
		if coarse := len(last(r, jpg).Data); coarse >= fine {
			t.Errorf("%d bytes at quality 10, %d at 80", coarse, fine)
		}
		r.must(r.node.Parameters().SetAtomically(
			ros2.Parameter{Name: table.ParamCameraWidth, Value: ros2.IntegerValue(32)}, ros2.Parameter{Name: table.ParamCameraHeight, Value: ros2.IntegerValue(24)},
			ros2.Parameter{Name: table.ParamCameraQuality, Value: ros2.IntegerValue(90)}))
		time.Sleep(time.Second)
		m, c := last(r, raw), last(r, info)
		if m.Width != 32 || m.Height != 24 || m.Step != 96 || c.Width != 32 || c.Height != 24 || c.Header != m.Header {
			t.Errorf("%d×%d %v, calibration %d×%d %v", m.Width, m.Height, m.Header, c.Width, c.Height, c.Header)
		}
		if want := ownCalibration().Scaled(smallWidth, smallHeight).Scaled(32, 24); c.K != want.K || c.P != want.P {
			t.Errorf("%v, want %v", c.K, want.K)
		}
		if img, err := jpeg.Decode(bytes.NewReader(last(r, jpg).Data)); err != nil || img.Bounds().Size() != image.Pt(32, 24) {
			t.Errorf("JPEG: %v", err)
		}
		for name, bad := range map[string]struct {
			value  ros2.ParameterValue
			reason string
		}{
			table.ParamCameraWidth:    {ros2.IntegerValue(33), "33"},
			table.ParamCameraHeight:   {ros2.IntegerValue(0), "0"},
			table.ParamCameraQuality:  {ros2.IntegerValue(101), "101"},
			table.ParamCameraRate:     {ros2.DoubleValue(0), "0.1"},
			table.ParamCameraEncoding: {ros2.StringValue("rgb16"), "mono8"},
			table.ParamCameraEncoder:  {ros2.StringValue("cpu"), table.ParamCameraEncoder}, // not while running
			table.ParamCameraDevice:   {ros2.StringValue("none"), table.ParamCameraDevice},
			table.ParamCameraName:     {ros2.StringValue("x"), table.ParamCameraName},
			table.ParamCameraInfoURL:  {ros2.StringValue(""), table.ParamCameraInfoURL},
		} {
			if err := set(name, bad.value); err == nil || !strings.Contains(err.Error(), bad.reason) {
				t.Errorf("%s = %v: %v", name, bad.value, err)
			}
		}
		if err := set(table.ParamCameraWidth, ros2.IntegerValue(1280)); err == nil || !strings.Contains(err.Error(), "64×48") {
			t.Errorf("a picture larger than the camera's: %v", err)
		}
		time.Sleep(time.Second)
		if after := last(r, raw); after.Width != 32 || after.Encoding != "rgb8" || len(raw()) == 0 {
			t.Errorf("%d×%d %s after refusals", after.Width, after.Height, after.Encoding)
		}
	})
}

// TestInvalidCameraParameterFailsNew: the error names the parameter.
func TestInvalidCameraParameterFailsNew(t *testing.T) {
	for args, want := range map[string]string{
		"-p camera.camera_name:=a/b":                    table.ParamCameraName,
		"-p camera.camera_info_url:=camera.yaml":        table.ParamCameraInfoURL,
		"-p camera.camera_info_url:=package://nowhere/": table.ParamCameraInfoURL,
		"-p camera.device:=webcam":                      table.ParamCameraDevice,
	} {
		r := newRig(t, rigOptions{noStart: true})
		r.must(r.driver.Close())
		parsed, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, strings.Fields(args)...))
		r.must(err)
		node, err := ros2.NewNode(ros2.NodeConfig{Name: NodeName, Transport: r.transport, Args: parsed})
		r.must(err)
		d, err := New(Config{Hardware: &chips.Robot{Bus: r.robot.Bus()}, Node: node, Camera: func(name string) (camera.Device, error) {
			if name != "auto" {
				return nil, camera.ErrNoDevice
			}
			return r.robot.Camera(), nil
		}})
		if d != nil || !errors.Is(err, table.ErrParameter) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
		if n := len(r.node.Graph().EndpointsOn("/image_raw")); n != 0 {
			t.Errorf("%s: %d endpoints are left", args, n)
		}
		r.must(node.Close())
	}
}

// TestNoCamera: with the device "none", and on a robot without a camera, its topics do not exist.
func TestNoCamera(t *testing.T) {
	for _, o := range []rigOptions{{camera: true, args: "-p camera.device:=none", noStart: true}, {noStart: true}} {
		r := newRig(t, o)
		for _, name := range []string{"/image_raw", "/camera_info", "/set_camera_info"} {
			if n := len(r.node.Graph().EndpointsOn(name)); n != 0 {
				t.Errorf("%d endpoints of %s", n, name)
			}
		}
		if len(r.driver.Status().Topics) == 0 {
			t.Error("no topics at all")
		}
	}
}
