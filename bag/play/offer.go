// SPDX-License-Identifier: Apache-2.0

package play

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/schema"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// keptMessages is the number of messages of a transient-local topic that are kept for late subscribers: one publisher
// replaces several of the recording.
const keptMessages = 100

// offered returns the quality of service that matches all subscriptions which the recorded publishers matched.
func offered(recorded []ros2.QoS) ros2.QoS {
	if len(recorded) == 0 {
		return ros2.DefaultQoS()
	}
	q := recorded[0]
	same := !slices.ContainsFunc(recorded, func(o ros2.QoS) bool { return o != q })
	if !same {
		q = ros2.QoS{Reliability: ros2.BestEffort}
		for _, o := range recorded {
			if o.Reliability == ros2.Reliable {
				q.Reliability = ros2.Reliable
			}
			if o.Durability == ros2.TransientLocal {
				q.Durability = ros2.TransientLocal
			}
		}
	}
	if q.Durability == ros2.TransientLocal && q.History == ros2.KeepLast {
		q.Depth = max(q.Depth, keptMessages)
	}
	return q
}

// selected reports whether a topic is to be played.
func (p *Player) selected(t *bag.Topic) bool {
	return p.cfg.Select.holds(t) && (t.Name != clockTopic || !p.publishesClock())
}

// open creates the outputs of the played topics.
func (p *Player) open() error {
	if err := errors.Join(p.cfg.Bag.Ambiguities(p.selected)...); err != nil {
		return err
	}
	messages := map[string]uint64{} // by name
	for _, t := range p.cfg.Bag.Topics() {
		messages[t.Name] += t.Messages
	}
	for _, t := range p.cfg.Bag.Topics() {
		if !p.selected(t) || t.Messages == 0 && messages[t.Name] > 0 { // of a type that no message has
			continue
		}
		q, override := p.cfg.QoS[t.Name]
		if !override {
			q = offered(t.QoS)
		}
		out, err := p.output(t, q)
		if err != nil {
			return errors.Join(err, p.close())
		}
		if out == nil {
			continue
		}
		p.writers[t] = out
		p.latched[t] = q.Durability == ros2.TransientLocal
	}
	if len(p.writers) == 0 {
		return ErrEmpty
	}
	return nil
}

// output returns where the messages of a topic are written; nil, with a warning, if nothing takes them.
func (p *Player) output(t *bag.Topic, q ros2.QoS) (Output, error) {
	direct := func() Output {
		if p.cfg.Direct == nil {
			return nil
		}
		return p.cfg.Direct(t)
	}
	log := p.cfg.Logger.With("topic", t.Name, "encoding", t.Format, "type", t.Type, "schema", t.SchemaEncoding)
	name, unfit := p.cfg.Node.ResolveName(t.Name)
	if err := notROS(t); err != nil {
		unfit = err
	}
	if unfit != nil {
		out := direct()
		if out == nil {
			log.Warn("topic skipped: ROS 2 has no such topic; with --web Foxglove gets it as it is", "error", unfit)
			return nil, nil
		}
		log.Info("topic is played for Foxglove alone, as it is: ROS 2 has no such topic", "error", unfit)
		return out, nil
	}
	typ, rosType, hash, unread := resolveType(t, p.cfg.Types)
	if typ != nil {
		p.cfg.Node.DescribeType(typ)
	}
	if other, ok := p.names[name]; ok && (other.rosType != rosType || other.hash != hash) {
		return nil, fmt.Errorf("%w: %s (%s) and %s (%s) are both published as %s; leave one out or rename it",
			bag.ErrTypes, other.topic, other.rosType, t.Name, rosType, name)
	}
	p.names[name] = published{t.Name, rosType, hash}
	w, err := p.cfg.Node.Transport().NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
		Node: p.cfg.Node.Name(), Topic: name, Type: rosType, TypeHash: hash, QoS: q,
	}})
	if err != nil {
		return nil, fmt.Errorf("topic %s: %w", t.Name, err)
	}
	if unread == nil {
		return w, nil
	}
	log.Warn("messages can be recorded, not decoded: the definition of their type is not known", "error", unread)
	if out := direct(); out != nil {
		return both{w, out}, nil
	}
	return w, nil
}

// published is a topic of the bag that is published under a name.
type published struct{ topic, rosType, hash string }

// Errors about topics that are not of ROS.
var (
	errEncoding = errors.New("ROS 2 has no messages of this encoding")
	errNoType   = errors.New("ROS 2 has no topic of such a type")
)

// notROS returns why a topic is not one of ROS 2, nil if it is.
func notROS(t *bag.Topic) error {
	switch {
	case !t.CDR():
		return fmt.Errorf("%w: %q", errEncoding, t.Format)
	case t.Type == "":
		return fmt.Errorf("%w: the bag does not name it", errNoType)
	}
	parts := strings.Split(schema.FullName(t.Type), "/")
	if len(parts) < 2 || len(parts) > 3 || slices.ContainsFunc(parts, func(part string) bool { return ros2.ValidateNodeName(part) != nil }) {
		return fmt.Errorf("%w: %q is not of the form package/msg/Name", errNoType, t.Type)
	}
	return nil
}

// Limits returns what [Player] cannot do with topics of a bag that have messages, one sentence for each topic, which says
// what it can.
// types has types that definitions in the bag refer to and do not contain; nil is those of package msgs.
func Limits(b *bag.Bag, types dynamic.Lookup) (limits []string) {
	if types == nil {
		types = msgs.Definition
	}
	for _, t := range b.Topics() {
		if t.Messages == 0 {
			continue
		}
		_, unfit := ros2.ExpandName(t.Name, ros2.NodeName{Namespace: "/", Name: "player"})
		if err := notROS(t); err != nil {
			unfit = err
		}
		if unfit != nil {
			limits = append(limits, fmt.Sprintf("topic %s: %v%s; bag play skips it, with --web Foxglove gets it as it is", t.Name, unfit, schemaOf(t)))
			continue
		}
		if _, _, _, unread := resolveType(t, types); unread != nil {
			limits = append(limits, fmt.Sprintf("topic %s: %v; its messages can be played and recorded, not decoded", t.Name, unread))
		}
	}
	return limits
}

// schemaOf describes the schema of a topic that is not of ROS.
func schemaOf(t *bag.Topic) string {
	if t.SchemaEncoding == "" {
		return ", without a schema"
	}
	return fmt.Sprintf(", schema %s of %s", t.SchemaEncoding, t.Type)
}

// resolveType returns the type of a topic, and the name and the hash with which it is offered. The definition in the bag
// counts; without one the type may be known by name and recorded hash. unread is why no node can decode the messages;
// typ is nil then.
func resolveType(t *bag.Topic, types dynamic.Lookup) (typ *dynamic.Type, name, hash string, unread error) {
	name = schema.FullName(t.Type) // writers of other programs use "std_msgs/String"
	own, err := dynamic.Resolve(name, types)
	if err == nil && t.Hash != "" && own.Hash() == t.Hash {
		return own, name, t.Hash, nil
	}
	if t.SchemaEncoding != "" || t.Schema != "" {
		defined, bad := schema.Parse(t.Type, t.SchemaEncoding, t.Schema, types)
		if bad == nil {
			return defined, defined.Name, defined.Hash(), nil
		}
		if err != nil || t.Hash != "" {
			return nil, name, t.Hash, bad
		}
	}
	switch {
	case err != nil:
		return nil, name, t.Hash, fmt.Errorf("%w, and the bag has no definition of it", err)
	case t.Hash == "":
		return own, name, own.Hash(), nil
	}
	return nil, name, t.Hash, fmt.Errorf("%w: the program has another version of %s, and the bag has no definition of it", dynamic.ErrUnknownType, name)
}

// both writes to two outputs.
type both [2]Output

func (b both) Write(payload []byte) error {
	return errors.Join(b[0].Write(payload), b[1].Write(payload))
}

func (b both) Close() error { return errors.Join(b[0].Close(), b[1].Close()) }

// close closes the topics.
func (p *Player) close() error {
	var errs []error
	for _, w := range p.writers {
		errs = append(errs, w.Close())
	}
	if p.clock != nil {
		errs = append(errs, p.clock.Close())
	}
	return errors.Join(errs...)
}
