// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/jpeg"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// TestRoslib: a program that uses roslib works with the robot without a ROS 2 installation.
func TestRoslib(t *testing.T) {
	r := newServer(t, options{})
	cmd := exec.Command("node", "../internal/rosbridge/testdata/peer.mjs", strings.Replace(r.url, "http", "ws", 1)+"/rosbridge")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	r.must(err)
	var report struct {
		Failed                           []string
		Topics, Services, Params         int
		Nodes                            []string
		OdomType, TopicType, ServiceType string
		ToF                              float64
		CBORRays, PNGRays                int
		CBORKind                         string
		Raw                              int
		Throttled, Radius, NewRadius     float64
		Drove, Stamped, Reset, Refused   bool
		Greeted, Withdrawn               bool
	}
	r.must(json.Unmarshal(out, &report))
	switch {
	case len(report.Failed) > 0:
		t.Fatal(report.Failed)
	case report.Topics < 30, report.OdomType != "nav_msgs/msg/Odometry", report.TopicType != "sensor_msgs/msg/LaserScan", !slices.Contains(report.Nodes, "/epuck_driver"):
		t.Errorf("rosapi: %+v", report)
	case report.Services < 8, report.ServiceType != "std_srvs/srv/Trigger", !report.Reset, !report.Refused, !report.Greeted, !report.Withdrawn:
		t.Errorf("services: %+v", report)
	case report.ToF != 1, report.CBORRays != 21, report.PNGRays != 21, report.CBORKind != "Float32Array", report.Raw < 700, !report.Stamped, !report.Drove:
		t.Errorf("topics: %+v", report)
	case report.Throttled > 1.6:
		t.Errorf("%.2f times as many messages as throttle_rate allows", report.Throttled)
	case report.Radius != 0.02, report.NewRadius != 0.0203, report.Params < 20:
		t.Errorf("parameters: %+v", report)
	}
}

// TestMetrics: promtool accepts /metrics, which has metrics of every part.
func TestMetrics(t *testing.T) {
	r := newServer(t, options{})
	if _, err := exec.LookPath("promtool"); err != nil {
		missing(t, err)
	}
	get := func() []byte {
		response, err := http.Get(r.url + "/metrics")
		r.must(err)
		text, err := io.ReadAll(response.Body)
		r.must(err)
		r.must(response.Body.Close())
		http.DefaultClient.CloseIdleConnections()
		return text
	}
	text := get()
	cmd := exec.Command("promtool", "check", "metrics")
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("promtool: %v\n%s", err, out)
	}
	for _, want := range []string{
		"epuck_web_viewers 0", "process_cpu_seconds_total ", "go_goroutines ", "ros_topics ", `ros_diagnostic_level{node="epuck_driver",status="tof"`, `key="longest poll",unit="ms"`, `status="camera"`, `status="battery"`,
	} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// metricName matches the names of metrics in the dashboard's queries.
var metricName = regexp.MustCompile(`\b(ros|epuck_web|process|go)_[a-z_]+`)

// TestDashboardsUseExistingMetricsAndTopics: every metric of the Grafana dashboard is on /metrics, every topic of the
// Foxglove layout is one of the robot's or of the world's.
func TestDashboardsUseExistingMetricsAndTopics(t *testing.T) {
	r := newServer(t, options{})
	response, err := http.Get(r.url + "/metrics")
	r.must(err)
	metrics, err := io.ReadAll(response.Body)
	r.must(errors.Join(err, response.Body.Close()))
	http.DefaultClient.CloseIdleConnections()
	dashboard, err := os.ReadFile("../../deploy/grafana/epuck.json")
	r.must(err)
	for _, name := range metricName.FindAll(dashboard, -1) {
		if !bytes.Contains(metrics, append([]byte("\n# TYPE "), name...)) && !bytes.Contains(name, []byte("transport")) {
			t.Errorf("the dashboard asks for %s", name)
		}
	}
	layout, err := os.ReadFile("../../deploy/foxglove/epuck.json")
	r.must(err)
	known := map[string]bool{"/world": true, "/map": true, "/rosout": true, "/goal_pose": true, "/clicked_point": true, "/initialpose": true, "/reset_odometry": true}
	for _, topic := range table.Topics() {
		for _, name := range topic.Names() {
			known["/"+strings.TrimPrefix(name, "/")] = true
		}
	}
	for _, m := range regexp.MustCompile(`"(/[a-z0-9_/]+)`).FindAllStringSubmatch(string(layout), -1) {
		if !known[m[1]] {
			t.Errorf("the layout shows %s", m[1])
		}
	}
}

// TestStream: OpenCV reads JPEG pictures from a camera's address.
func TestStream(t *testing.T) {
	r := newServer(t, options{})
	response, err := http.Get(r.url + "/stream.mjpg")
	r.must(err)
	defer func() {
		_ = response.Body.Close()
		http.DefaultClient.CloseIdleConnections()
	}()
	_, params, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	r.must(err)
	parts := multipart.NewReader(response.Body, params["boundary"])
	for range 5 {
		part, err := parts.NextRawPart()
		r.must(err)
		picture, err := jpeg.Decode(part)
		r.must(err)
		if b := picture.Bounds(); b.Dx() != 640 || b.Dy() != 480 {
			t.Error(b)
		}
	}
}
