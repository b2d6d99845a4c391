// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// maxPublications bounds the topics that a client may publish on.
const maxPublications = 100

// maxSent bounds the times of pages' clocks, ms: ten years.
const maxSent = 3.2e11

// publication is a topic that a client publishes on. Velocity commands go to the arbiter instead of the topic, so
// that one client drives at a time.
type publication struct {
	typ   *dynamic.Type
	json  bool
	out   *hub.Publication // nil where steer is not
	steer *teleop.CommandTopic
}

func (p *publication) close() {
	if p.out != nil {
		p.out.Close()
	}
}

func (c *client) advertise(data []byte) error {
	var m struct {
		Channels []struct {
			ID         uint32 `json:"id"`
			Topic      string `json:"topic"`
			Encoding   string `json:"encoding"`
			SchemaName string `json:"schemaName"`
		} `json:"channels"`
	}
	if err := read(data, &m, "channels"); err != nil {
		return err
	}
	if err := c.mayDrive(); err != nil {
		return err
	}
	for _, ch := range m.Channels {
		if err := c.advertiseOne(ch.ID, ch.Topic, ch.Encoding, dynamic.FullName(ch.SchemaName, "msg")); err != nil {
			if err := c.status(statusError, fmt.Errorf("advertise %s: %w", ch.Topic, err)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *client) advertiseOne(id uint32, topic, encoding, rosType string) error {
	if encoding != encodingCDR && encoding != encodingJSON {
		return fmt.Errorf("%w: encoding %.20q: there are cdr and json", ErrMessage, encoding)
	}
	if !strings.HasPrefix(topic, "/") {
		topic = "/" + topic
	}
	typ, err := c.hub.Known(rosType)
	if err != nil {
		return err
	}
	p := &publication{typ: typ, json: encoding == encodingJSON}
	c.mu.Lock()
	_, used := c.publications[id]
	full := len(c.publications) >= maxPublications
	c.mu.Unlock()
	switch {
	case used:
		return fmt.Errorf("%w: channel %d is there already", ErrMessage, id)
	case full:
		return fmt.Errorf("%w: more than %d channels", ErrMessage, maxPublications)
	}
	if p.steer = teleop.CommandTopicOf(topic, rosType); p.steer == nil {
		if p.out, err = c.hub.Advertise(topic, rosType); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.publications == nil {
		c.publications = map[uint32]*publication{}
	}
	c.publications[id] = p
	return nil
}

func (c *client) unadvertise(data []byte) error {
	var m struct {
		IDs []uint32 `json:"channelIds"`
	}
	if err := read(data, &m, "channelIds"); err != nil {
		return err
	}
	for _, id := range m.IDs {
		c.mu.Lock()
		p := c.publications[id]
		delete(c.publications, id)
		c.mu.Unlock()
		if p == nil {
			if err := c.status(statusError, fmt.Errorf("%w: channel %d is not advertised", ErrMessage, id)); err != nil {
				return err
			}
			continue
		}
		if p.steer != nil {
			c.server.cfg.Arbiter.Release(p.steer.Robot, c.driver)
		}
		p.close()
	}
	return nil
}

// publish publishes a client's message. It is decoded first, so that invalid messages do not reach the network.
func (c *client) publish(m *clientMessage) error {
	if err := c.mayDrive(); err != nil {
		return err
	}
	c.mu.Lock()
	p := c.publications[m.channel]
	c.mu.Unlock()
	if p == nil {
		return fmt.Errorf("%w: channel %d is not advertised", ErrMessage, m.channel)
	}
	message, err := decode(p.typ, p.json, m.payload)
	if err != nil {
		return fmt.Errorf("channel %d: %w", m.channel, err)
	}
	if p.steer != nil {
		return c.server.cfg.Arbiter.DriveByMessage(p.steer, c.driver, message)
	}
	payload, err := cdr.Marshal(nil, message)
	if err != nil {
		return fmt.Errorf("channel %d: %w", m.channel, err)
	}
	return p.out.Publish(c.ctx, payload)
}

func decode(t *dynamic.Type, isJSON bool, payload []byte) (*dynamic.Message, error) {
	if isJSON {
		return rosjson.Decode(t, payload)
	}
	return dynamic.Decode(t, payload)
}

// takeControl makes the client the driver of a robot.
func (c *client) takeControl(data []byte) error {
	var m struct {
		Robot string `json:"robot"`
		Force bool   `json:"force"`
	}
	if err := read(data, &m, "robot"); err != nil {
		return err
	}
	if err := c.mayDrive(); err != nil {
		return err
	}
	if err := checkRobot(m.Robot); err != nil {
		return err
	}
	return c.server.cfg.Arbiter.Take(m.Robot, c.driver, m.Force)
}

// checkRobot refuses names that are no namespace.
func checkRobot(robot string) error {
	if err := ros2.ValidateNamespace(robot); err != nil {
		return fmt.Errorf("%w: robot: %w", ErrMessage, err)
	}
	return nil
}

func (c *client) releaseControl(data []byte) error {
	var m struct {
		Robot string `json:"robot"`
	}
	if err := read(data, &m, "robot"); err != nil {
		return err
	}
	if err := checkRobot(m.Robot); err != nil {
		return err
	}
	c.server.cfg.Arbiter.Release(m.Robot, c.driver)
	return nil
}

func (c *client) drive(data []byte) error {
	var m struct {
		Robot string  `json:"robot"`
		V     float64 `json:"v"`
		W     float64 `json:"w"`
		Sent  float64 `json:"t"` // of the page's clock, ms; 0 is unknown
	}
	if err := read(data, &m, "robot"); err != nil {
		return err
	}
	if err := c.mayDrive(); err != nil {
		return err
	}
	if err := c.punctual(m.Sent, m.V == 0 && m.W == 0); err != nil {
		if c.late {
			return nil // it has been reported
		}
		c.late = true
		return err
	}
	c.late = false
	return c.server.cfg.Arbiter.Drive(m.Robot, c.driver, m.V, m.W)
}

// punctual rejects a command that was delayed by the network. A stop command is never too late.
func (c *client) punctual(sent float64, stop bool) error {
	if !(sent > 0 && sent < maxSent) {
		return nil
	}
	late := c.delay.of(time.Duration(sent*float64(time.Millisecond)), time.Since(c.begun), stop)
	if late > maxDelay {
		return fmt.Errorf("%w: by %v", ErrLate, late.Round(time.Millisecond))
	}
	return nil
}

// robotControl is the driver of a robot, as sent to a client.
type robotControl struct {
	Robot  string `json:"robot"`
	Driver string `json:"driver"`
	You    bool   `json:"you"`
}

// sendControl sends a page the drivers of all robots when they have changed.
func (c *client) sendControl(*hub.Graph) error {
	if !c.page {
		return nil
	}
	robots := []robotControl{}
	for _, h := range c.server.cfg.Arbiter.State() {
		robots = append(robots, robotControl{h.Robot, h.Driver.Name, h.Driver == c.driver})
	}
	data, err := json.Marshal(map[string]any{"op": "control", "robots": robots})
	if err != nil {
		return err
	}
	c.mu.Lock()
	same := c.control == string(data)
	c.control = string(data)
	c.mu.Unlock()
	if same {
		return nil
	}
	return c.say(json.RawMessage(data))
}

// offer answers an offer of a connection for live video.
func (c *client) offer(data []byte) error {
	var m struct {
		ID  string `json:"id"`
		SDP string `json:"sdp"`
	}
	if err := read(data, &m); err != nil {
		return err
	}
	answer := map[string]any{"op": "live", "id": m.ID}
	if c.server.cfg.Live == nil {
		answer["error"] = "no H.264 encoder here"
		return c.say(answer)
	}
	return c.later(func(ctx context.Context) error { // it takes long, and must not delay drive commands
		sdp, err := c.server.cfg.Live(ctx, m.SDP)
		if err != nil {
			c.server.cfg.Logger.Warn("no live video", slog.Any("error", err))
			answer["error"] = err.Error()
		} else {
			answer["sdp"] = sdp
		}
		return c.say(answer)
	})
}
