// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// publication is a topic that a client publishes on; velocity commands go to the arbiter instead.
type publication struct {
	typ   *dynamic.Type
	out   *hub.Publication // nil where steer is not
	steer *teleop.CommandTopic
	ids   map[string]bool // of the requests that advertised it
}

func (p *publication) close() {
	if p.out != nil {
		p.out.Close()
	}
}

// fullName prepends a slash to a name without one.
func fullName(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return "/" + name
}

// typeOf returns the named type, or that of the topic. A topic that other nodes use with another type is refused.
func (c *client) typeOf(topic, named string) (*dynamic.Type, error) {
	g := c.hub.Graph()
	full := dynamic.FullName(named, "msg")
	t, ok := g.TopicOfType(topic, full)
	if !ok {
		t, ok = g.Topic(topic)
		if full != "" && ok && t.Shared() {
			return nil, fmt.Errorf("%w: topic %s has type %s, not %.80q", ErrMessage, topic, t.Type, named)
		}
		if named != "" {
			if known, err := c.hub.Known(full); err == nil {
				return known, nil
			}
		}
		if !ok {
			return nil, fmt.Errorf("%w: topic %s is not there yet, and its type %q not known", ErrMessage, topic, named)
		}
	}
	typ, ok := c.hub.Type(t)
	if !ok {
		return nil, fmt.Errorf("%w: %s", hub.ErrUnknownType, t.Type)
	}
	return typ, nil
}

func (c *client) advertiseTopic(r *request) error {
	p, err := c.advertise(r)
	if err != nil {
		return err
	}
	if !p.ids[r.ID.key] && len(p.ids) >= maxTopics {
		return fmt.Errorf("%w: more than %d advertisements of topic %s", ErrMessage, maxTopics, r.Topic)
	}
	p.ids[r.ID.key] = true
	return nil
}

// advertise returns the client's publication of a topic; it makes one if there is none.
func (c *client) advertise(r *request) (*publication, error) {
	if c.role < guard.Drive {
		return nil, ErrRights
	}
	topic := fullName(r.Topic)
	if p := c.publications[topic]; p != nil {
		if named := dynamic.FullName(r.Type, "msg"); named != "" && named != p.typ.Name {
			return nil, fmt.Errorf("%w: topic %s has type %s, not %.80s", ErrMessage, topic, p.typ.Name, named)
		}
		return p, nil
	}
	if len(c.publications) >= maxTopics {
		return nil, fmt.Errorf("%w: more than %d topics", ErrMessage, maxTopics)
	}
	typ, err := c.typeOf(topic, r.Type)
	if err != nil {
		return nil, err
	}
	p := &publication{typ: typ, steer: teleop.CommandTopicOf(topic, typ.Name), ids: map[string]bool{}}
	if p.steer == nil {
		advertise := c.hub.Advertise
		if r.Latch {
			advertise = c.hub.AdvertiseLatched
		}
		if p.out, err = advertise(topic, typ.Name); err != nil {
			return nil, err
		}
	}
	c.publications[topic] = p
	return p, nil
}

// unadvertise removes the advertisement of an id; without an id, or with the last one, the publication ends.
func (c *client) unadvertise(r *request) error {
	topic := fullName(r.Topic)
	p := c.publications[topic]
	if p == nil {
		return fmt.Errorf("%w: unadvertise: this client does not advertise topic %.200q", errWarning, topic)
	}
	delete(p.ids, r.ID.key)
	if r.ID.key != "" && len(p.ids) > 0 {
		return nil
	}
	if p.steer != nil {
		c.arbiter.Release(p.steer.Robot, c.driver)
	}
	p.close()
	delete(c.publications, topic)
	return nil
}

// publish publishes a message, and advertises the topic if necessary. A header without a stamp gets the current time.
func (c *client) publish(r *request) error {
	p, err := c.advertise(r)
	if err != nil {
		return err
	}
	if len(r.Message) == 0 {
		r.Message = json.RawMessage("{}")
	}
	m, err := rosjson.Decode(p.typ, r.Message)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Topic, err)
	}
	if err := stamp(m, r.Message); err != nil {
		return err
	}
	if p.steer != nil {
		if err := c.arbiter.DriveByMessage(p.steer, c.driver, m); err != nil {
			return err
		}
		return c.warnOfMissing(r, p.typ)
	}
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return err
	}
	if err := p.out.Publish(c.ctx, payload); err != nil {
		return err
	}
	return c.warnOfMissing(r, p.typ)
}

// warnOfMissing reports fields that a published message does not have, to clients that want warnings.
func (c *client) warnOfMissing(r *request, t *dynamic.Type) error {
	if c.reports.level() < levelWarning {
		return nil
	}
	missing := rosjson.Missing(t, r.Message)
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%w: publish %s: fields not given, which have their defaults: %.200s", errWarning, r.Topic, strings.Join(missing, ", "))
}

// stamp sets the time of a header that the client omitted.
func stamp(m *dynamic.Message, text []byte) error {
	f, ok := m.Field("header")
	if !ok || f.Type == nil || f.Type.Name != "std_msgs/msg/Header" {
		return nil
	}
	var given struct {
		Header *struct {
			Stamp json.RawMessage `json:"stamp"`
		} `json:"header"`
	}
	if err := json.Unmarshal(text, &given); err != nil || given.Header != nil && len(given.Header.Stamp) > 0 {
		return nil //nolint:nilerr // it has been decoded before
	}
	v, _ := m.Get("header")
	header, ok := v.(*dynamic.Message)
	if !ok {
		return nil
	}
	v, _ = header.Get("stamp")
	at, ok := v.(*dynamic.Message)
	if !ok { // a node described another type of that name
		return nil
	}
	sec, nanosec := ros2.Stamp(time.Now())
	return dynamic.SetTime(at, sec, nanosec)
}

// encoder returns the function that makes a publish message from CDR. It runs on the client's goroutine, one message
// at a time.
func encoder(topic string, typ *dynamic.Type, compression string) (convert func([]byte) []byte, text bool, err error) {
	quoted, err := json.Marshal(topic)
	if err != nil {
		return nil, false, err
	}
	plain := func(body []byte) []byte {
		m, err := dynamic.Decode(typ, body)
		if err != nil {
			return nil
		}
		out := append([]byte(`{"op":"publish","topic":`), quoted...)
		out = rosjson.Append(append(out, `,"msg":`...), m)
		return append(out, '}')
	}
	switch compression {
	case "", "none":
		return plain, true, nil
	case "png":
		return func(body []byte) []byte {
			message := plain(body)
			if message == nil {
				return nil
			}
			return pngBody(message)
		}, true, nil
	case "cbor", "cbor-raw":
		mode, err := rosjson.CBORMode()
		if err != nil {
			return nil, false, err
		}
		return func(body []byte) []byte {
			content, err := cborContent(typ, compression, body)
			if err != nil {
				return nil
			}
			message, err := mode.Marshal(map[string]any{"op": "publish", "topic": topic, "msg": content})
			if err != nil {
				return nil
			}
			return message
		}, false, nil
	}
	return nil, false, fmt.Errorf("%w: compression %.20q: there are none, png, cbor and cbor-raw", ErrMessage, compression)
}

// cborContent returns the msg of a publish message: a tree of its fields, or with cbor-raw the CDR and when it was sent.
func cborContent(typ *dynamic.Type, compression string, body []byte) (map[string]any, error) {
	if compression == "cbor-raw" {
		sec, nanosec := ros2.Stamp(time.Now())
		return map[string]any{"secs": sec, "nsecs": nanosec, "bytes": body}, nil
	}
	m, err := dynamic.Decode(typ, body)
	if err != nil {
		return nil, err
	}
	return rosjson.CBORTree(m), nil
}
