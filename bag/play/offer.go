// SPDX-License-Identifier: Apache-2.0

package play

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/ros2"
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

// open creates the writers of the played topics.
func (p *Player) open() error {
	for _, t := range p.cfg.Bag.Topics() {
		if !p.cfg.Select.holds(t) || t.Name == clockTopic && p.publishesClock() {
			continue
		}
		if t.Format != "" && t.Format != "cdr" {
			p.cfg.Logger.Warn("topic skipped: not encoded as CDR", "topic", t.Name, "encoding", t.Format)
			continue
		}
		q, override := p.cfg.QoS[t.Name]
		if !override {
			q = offered(t.QoS)
		}
		w, err := p.writer(t, q)
		if err != nil {
			return errors.Join(err, p.close())
		}
		p.writers[t] = w
		p.latched[t] = q.Durability == ros2.TransientLocal
	}
	if len(p.writers) == 0 {
		return ErrEmpty
	}
	return nil
}

func (p *Player) writer(t *bag.Topic, q ros2.QoS) (ros2.Writer, error) {
	n := p.cfg.Node
	name, err := n.ResolveName(t.Name)
	if err != nil {
		return nil, fmt.Errorf("topic %s: %w", t.Name, err)
	}
	w, err := n.Transport().NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
		Node: n.Name(), Topic: name, Type: t.Type, TypeHash: t.Hash, QoS: q,
	}})
	if err != nil {
		return nil, fmt.Errorf("topic %s: %w", t.Name, err)
	}
	return w, nil
}

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
