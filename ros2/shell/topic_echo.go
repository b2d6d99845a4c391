// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// defaultTruncate is how many elements and characters echo shows of a list or text.
const defaultTruncate = 128

// echo shows the messages of a topic.
type echo struct {
	s      *session
	typ    *dynamic.Type
	field  []string
	format dynamic.Format
	lost   int
}

func topicEcho(ctx context.Context, s *session) (err error) {
	e := echo{s: s}
	if err := e.options(); err != nil {
		return err
	}
	shown := s.args.value("topic_name", "")
	topic, err := s.fullName(shown)
	if err != nil {
		return err
	}
	passed := s.args.value("message_type", "")
	if passed != "" {
		if e.typ, err = s.passedType(ctx, passed, "msg"); err != nil {
			return err
		}
	}
	g, err := s.graph(ctx, func(g ros2.Graph) bool { return len(publishers(g, topic)) > 0 })
	if err != nil {
		return err
	}
	rosType, hash, err := e.target(ctx, g, topic, shown)
	if err != nil {
		return err
	}
	box, reader, err := e.subscribe(topic, rosType, hash)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return e.run(ctx, box)
}

// subscribe subscribes with the quality of service of the options, else with those of all publishers.
func (e *echo) subscribe(topic, rosType, hash string) (*inbox, ros2.Reader, error) {
	peer := waiting.Peer{Kind: ros2.PublisherEndpoint, Name: topic, Type: rosType, AnyQoS: true}
	if err := e.s.join(e.s.env.Node); err != nil {
		return nil, nil, err
	}
	var filter *ros2.DefinitionFilter
	if e.typ != nil {
		filter = e.s.decodable(topic, rosType, hash)
	}
	if !e.s.args.qosGiven() {
		box, reader, err := e.s.subscribeAll(topic, rosType, hash, filter)
		if err == nil {
			box.noticed = e.s.notice(peer)
		}
		return box, reader, err
	}
	peer.QoS, peer.AnyQoS = e.s.args.qos(ros2.SensorDataQoS()), false
	box, reader, err := e.s.subscribe(topic, rosType, hash, filter, peer.QoS)
	if err == nil {
		box.noticed = e.s.notice(peer)
	}
	return box, reader, err
}

// target returns the type to subscribe to and its hash: the passed type, else that of the topic. With --raw its
// definition need not be available.
func (e *echo) target(ctx context.Context, g ros2.Graph, topic, shown string) (rosType, hash string, err error) {
	if e.typ != nil {
		return e.typ.Name, e.typ.Hash(), nil
	}
	name, err := topicType(g, topic, shown)
	switch {
	case err != nil:
		return "", "", err
	case name == "":
		e.s.warnUnpublished(shown)
		e.s.explain(g, waiting.Peer{Kind: ros2.PublisherEndpoint, Name: topic, AnyQoS: true})
		return "", "", failure("Could not determine the type for the passed topic")
	case e.s.args.flag("--raw"):
		return name, hashOn(g, topic), nil
	}
	if e.typ, err = e.s.resolve(ctx, name, g, topic); err != nil {
		return "", "", err
	}
	return name, e.typ.Hash(), nil
}

// options parses the options for the output format.
func (e *echo) options() error {
	args := e.s.args
	e.format = dynamic.Format{
		Truncate: args.integer("--truncate-length", defaultTruncate),
		NoArrays: args.flag("--no-arr"), NoStrings: args.flag("--no-str"), Flow: args.flag("--flow-style"),
	}
	if args.flag("--full-length") {
		e.format.Truncate = -1
	}
	if !args.flag("--field") {
		return nil
	}
	text := args.value("--field", "")
	e.field = strings.FieldsFunc(text, func(r rune) bool { return r == '.' })
	if len(e.field) == 0 {
		return failf("Invalid field value '%s'", text)
	}
	return nil
}

// run shows messages as they arrive, or only one with --once.
func (e *echo) run(ctx context.Context, box *inbox) error {
	for {
		list, lost, err := box.receive(ctx, e.s.transport)
		if err != nil {
			return err
		}
		if lost > 0 && !e.s.args.flag("--no-lost-messages") {
			e.lost += lost
			e.s.printf("A message was lost!!!\n\ttotal count change:%d\n\ttotal count: %d---\n", lost, e.lost)
		}
		for _, sample := range list {
			if err := e.show(sample); err != nil {
				return err
			}
			if e.s.args.flag("--once") {
				return nil
			}
		}
	}
}

// show writes one message.
func (e *echo) show(sample ros2.Sample) error {
	if e.s.args.flag("--raw") {
		e.s.printf("%s\n---\n", dynamic.PythonBytes(sample.Payload))
		return nil
	}
	m, err := dynamic.Decode(e.typ, sample.Payload)
	if err != nil {
		return failf("cannot decode a message: %v", err)
	}
	field, value, err := e.selected(m)
	if err != nil {
		return err
	}
	end := "\n---\n"
	if e.s.args.flag("--csv") {
		end = "\n"
	}
	sub, isMessage := value.(*dynamic.Message)
	switch {
	case !isMessage:
		e.s.printf("%s%s", printable.Line(field.Text(value)), end) // one line: a text may have line breaks
	case e.s.args.flag("--csv"):
		e.s.printf("%s\n", printable.Line(sub.CSV(e.format)))
	default:
		e.s.printf("%s---\n", sub.YAML(e.format))
	}
	return nil
}

// selected returns the part of a message selected by --field.
func (e *echo) selected(m *dynamic.Message) (*dynamic.Field, any, error) {
	var field *dynamic.Field
	var value any = m
	for _, name := range e.field {
		owner, isMessage := value.(*dynamic.Message)
		if isMessage {
			if f, ok := owner.Field(name); ok {
				field = f
				value, _ = owner.Get(name)
				continue
			}
		}
		return nil, nil, failf("Invalid field '%s': '%s' object has no attribute '%s'",
			strings.Join(e.field, "."), dynamic.PythonType(field, value), name)
	}
	return field, value, nil
}
