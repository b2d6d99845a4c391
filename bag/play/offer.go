// SPDX-License-Identifier: Apache-2.0

package play

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/schema"
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
	for _, t := range p.cfg.Bag.Topics() {
		if !p.selected(t) {
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
	if t.Format != "" && t.Format != "cdr" {
		out := direct()
		if out == nil {
			p.cfg.Logger.Warn("topic skipped: ROS 2 has no messages of this encoding; --web shows it to Foxglove as it is", "topic", t.Name, "encoding", t.Format)
			return nil, nil
		}
		p.cfg.Logger.Info("topic is played for viewers alone: ROS 2 has no messages of this encoding", "topic", t.Name, "encoding", t.Format)
		return out, nil
	}
	name, err := p.cfg.Node.ResolveName(t.Name)
	if err != nil {
		out := direct()
		if out == nil {
			p.cfg.Logger.Warn("topic skipped: ROS does not allow its name; rename it with --remap, or show it with --web", "topic", t.Name, "error", err)
			return nil, nil
		}
		return out, nil
	}
	rosType, hash, unread := p.typeOf(t)
	w, err := p.cfg.Node.Transport().NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
		Node: p.cfg.Node.Name(), Topic: name, Type: rosType, TypeHash: hash, QoS: q,
	}})
	if err != nil {
		return nil, fmt.Errorf("topic %s: %w", t.Name, err)
	}
	if unread == nil {
		return w, nil
	}
	p.cfg.Logger.Warn("messages can be recorded, not decoded: the definition of their type is not known", "topic", t.Name, "type", t.Type, "error", unread)
	if out := direct(); out != nil {
		return both{w, out}, nil
	}
	return w, nil
}

// typeOf returns the name and the hash with which a topic is offered. The definition in the bag counts; the node
// describes it to those who ask. Without one the type may be known by name and recorded hash. unread is why no node can
// decode the messages.
func (p *Player) typeOf(t *bag.Topic) (name, hash string, unread error) {
	name = dynamic.FullName(t.Type, "msg") // writers of other programs use "std_msgs/String"
	own, err := dynamic.Resolve(name, p.cfg.Types)
	if err == nil && t.Hash != "" && own.Hash() == t.Hash {
		p.cfg.Node.DescribeType(own)
		return name, t.Hash, nil
	}
	if t.SchemaEncoding != "" || t.Schema != "" {
		defined, bad := schema.Parse(t.Type, t.SchemaEncoding, t.Schema, p.cfg.Types)
		if bad == nil {
			p.cfg.Node.DescribeType(defined)
			return defined.Name, defined.Hash(), nil
		}
		if err != nil || t.Hash != "" {
			return name, t.Hash, bad
		}
	}
	switch {
	case err != nil:
		return name, t.Hash, fmt.Errorf("%w, and the bag has no definition of it", err)
	case t.Hash == "":
		p.cfg.Node.DescribeType(own)
		return name, own.Hash(), nil
	}
	return name, t.Hash, fmt.Errorf("%w: the program has another version of %s, and the bag has no definition of it", dynamic.ErrUnknownType, name)
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
