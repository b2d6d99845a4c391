// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// publication is a topic that a client publishes on; velocity commands go to the arbiter instead.
type publication struct {
	typ   *dynamic.Type
	out   *hub.Publication // nil where steer is not
	steer *teleop.CommandTopic
}

func (p *publication) close() {
	if p.out != nil {
		p.out.Close()
	}
}

// subscription is a client's subscription of a topic.
type subscription struct {
	topic  string
	flow   *outbox.Flow
	cancel func()
}

func (s *subscription) close() {
	s.cancel()
	s.flow.Close()
}

// fullName prepends a slash to a name without one.
func fullName(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return "/" + name
}

// typeOf returns the named type, or that of the topic.
func (c *client) typeOf(topic, named string) (*dynamic.Type, error) {
	if named != "" {
		if t, err := c.hub.Known(hub.FullType(named, "msg")); err == nil {
			return t, nil
		}
	}
	g := c.hub.Graph()
	t, ok := g.Topic(topic)
	if !ok {
		return nil, fmt.Errorf("%w: topic %s is not there yet, and its type %q not known", ErrMessage, topic, named)
	}
	typ, ok := c.hub.Type(t)
	if !ok {
		return nil, fmt.Errorf("%w: %s", hub.ErrUnknownType, t.Type)
	}
	return typ, nil
}

func (c *client) advertise(topic, rosType string) (*publication, error) {
	if c.role < guard.Drive {
		return nil, ErrRights
	}
	topic = fullName(topic)
	if p := c.publications[topic]; p != nil {
		return p, nil
	}
	if len(c.publications) >= maxTopics {
		return nil, fmt.Errorf("%w: more than %d topics", ErrMessage, maxTopics)
	}
	typ, err := c.typeOf(topic, rosType)
	if err != nil {
		return nil, err
	}
	p := &publication{typ: typ, steer: teleop.CommandTopicOf(topic, typ.Name)}
	if p.steer == nil {
		if p.out, err = c.hub.Advertise(topic, typ.Name); err != nil {
			return nil, err
		}
	}
	c.publications[topic] = p
	return p, nil
}

func (c *client) unadvertise(topic string) {
	p := c.publications[fullName(topic)]
	if p == nil {
		return
	}
	if p.steer != nil {
		c.arbiter.Release(p.steer.Robot, c.driver)
	}
	p.close()
	delete(c.publications, fullName(topic))
}

// publish publishes a message, and advertises the topic if necessary. A header without a stamp gets the current time.
func (c *client) publish(r *request) error {
	p, err := c.advertise(r.Topic, r.Type)
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
		return c.arbiter.DriveByMessage(p.steer, c.driver, m)
	}
	payload, err := cdr.Marshal(nil, m)
	if err != nil {
		return err
	}
	return p.out.Publish(c.ctx, payload)
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

func (c *client) subscribe(r *request) error {
	topic := fullName(r.Topic)
	typ, err := c.typeOf(topic, r.Type)
	if err != nil {
		return err
	}
	convert, text, err := encoder(topic, typ, r.Compression)
	if err != nil {
		return err
	}
	key := topic + " " + r.ID
	old := c.subscriptions[key]
	if old == nil && len(c.subscriptions) >= maxTopics {
		return fmt.Errorf("%w: more than %d subscriptions", ErrMessage, maxTopics)
	}
	if old != nil {
		old.close()
	}
	period := time.Duration(math.Min(math.Max(r.Throttle, 0), 3_600_000) * float64(time.Millisecond))
	s := &subscription{topic: topic, flow: c.box.Flow(outbox.FlowOptions{Depth: min(max(r.Queue, 1), maxQueue), Period: period})}
	s.cancel, err = c.hub.Subscribe(topic, typ.Name, func(m *hub.Message) {
		s.flow.Put(outbox.Frame{Body: m.Data, Convert: convert, Text: text})
	})
	if err != nil {
		s.flow.Close()
		delete(c.subscriptions, key)
		return err
	}
	c.subscriptions[key] = s
	return nil
}

// unsubscribe ends the subscription of an id, or without an id all of the topic.
func (c *client) unsubscribe(r *request) {
	for key, s := range c.subscriptions {
		if s.topic == fullName(r.Topic) && (r.ID == "" || key == s.topic+" "+r.ID) {
			s.close()
			delete(c.subscriptions, key)
		}
	}
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
	case "cbor":
		return func(body []byte) []byte {
			m, err := dynamic.Decode(typ, body)
			if err != nil {
				return nil
			}
			return rosjson.AppendCBOR(cborHead(topic), m)
		}, false, nil
	case "cbor-raw":
		return func(body []byte) []byte {
			sec, nanosec := ros2.Stamp(time.Now())
			out := rosjson.CBORMap(cborHead(topic), 3)
			out = rosjson.CBORUint(rosjson.CBORText(out, "secs"), uint64(sec))
			out = rosjson.CBORUint(rosjson.CBORText(out, "nsecs"), uint64(nanosec))
			return rosjson.CBORBytes(rosjson.CBORText(out, "bytes"), body)
		}, false, nil
	}
	return nil, false, fmt.Errorf("%w: compression %.20q: there are none, png, cbor and cbor-raw", ErrMessage, compression)
}

// cborHead begins a publish message whose msg follows.
func cborHead(topic string) []byte {
	out := rosjson.CBORMap(nil, 3)
	out = rosjson.CBORText(rosjson.CBORText(out, "op"), "publish")
	out = rosjson.CBORText(rosjson.CBORText(out, "topic"), topic)
	return rosjson.CBORText(out, "msg")
}
