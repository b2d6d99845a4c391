// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// tap is a transport that records every message before it is sent. Publishers see a subscriber at all times, so that
// what they publish does not depend on subscribers.
type tap struct {
	ros2.Transport
	record func(topic string, payload []byte)
}

// EndpointsOn implements ros2.TopicTransport.
func (t tap) EndpointsOn(topic string) []ros2.EndpointInfo {
	return ros2.EndpointsOn(t.Transport, topic)
}

// CountNodes implements ros2.NodeTransport.
func (t tap) CountNodes(name ros2.NodeName) int { return ros2.CountNodes(t.Transport, name) }

// serviceTap is a tap of a transport with services, which are not recorded.
type serviceTap struct {
	tap
	services ros2.ServiceTransport
}

// tapOf returns a transport that records messages.
func tapOf(t ros2.Transport, record func(topic string, payload []byte)) ros2.Transport {
	if s, ok := t.(ros2.ServiceTransport); ok {
		return serviceTap{tap{t, record}, s}
	}
	return tap{t, record}
}

// NewServer implements ros2.ServiceTransport.
func (t serviceTap) NewServer(c ros2.ServerConfig) (ros2.Server, error) {
	return t.services.NewServer(c)
}

// NewRequester implements ros2.ServiceTransport.
func (t serviceTap) NewRequester(c ros2.ClientConfig) (ros2.Requester, error) {
	return t.services.NewRequester(c)
}

// Repeats reports whether messages of a type are identical in repeated runs. Pictures are produced by goroutines of
// their own, diagnostics describe the machine; parameters and logs depend on the observers.
func Repeats(kind string) bool {
	for _, prefix := range []string{
		"rcl_interfaces/", "diagnostic_msgs/", "sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/CameraInfo",
	} {
		if strings.HasPrefix(kind, prefix) {
			return false
		}
	}
	return true
}

// NewWriter implements ros2.Transport.
func (t tap) NewWriter(c ros2.WriterConfig) (ros2.Writer, error) {
	if !Repeats(c.Type) {
		return t.Transport.NewWriter(c)
	}
	if onMatch := c.OnMatch; onMatch != nil {
		c.OnMatch = func(n int) { onMatch(n + 1) }
		onMatch(1)
	}
	w, err := t.Transport.NewWriter(c)
	if err != nil {
		return nil, err
	}
	return &tappedWriter{w, c.Topic, t.record}, nil
}

// tappedWriter is a writer that records messages.
type tappedWriter struct {
	ros2.Writer
	topic  string
	record func(topic string, payload []byte)
}

// Write implements ros2.Writer.
func (w *tappedWriter) Write(payload []byte) error {
	w.record(w.topic, payload)
	return w.Writer.Write(payload)
}
