// SPDX-License-Identifier: Apache-2.0

package core

import (
	"bytes"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// headers is the overhead of a message in a datagram, bytes: RTPS header, time stamp and submessage header.
const headers = 20 + 12 + 24

// On returns a transport for the nodes of the core's robot: sending is charged to the core, and received samples and
// requests wait for it, until [Core.Run]. Closing t remains the caller's task.
func (c *Core) On(t ros2.Transport) ros2.Transport {
	charged := transport{t, c}
	if s, ok := t.(ros2.ServiceTransport); ok {
		return serviceTransport{charged, s}
	}
	return charged
}

type transport struct {
	ros2.Transport
	core *Core
}

// EndpointsOn implements ros2.TopicTransport.
func (t transport) EndpointsOn(topic string) []ros2.EndpointInfo {
	return ros2.EndpointsOn(t.Transport, topic)
}

// CountNodes implements ros2.NodeTransport.
func (t transport) CountNodes(name ros2.NodeName) int { return ros2.CountNodes(t.Transport, name) }

// Description implements ros2.DescribedTransport.
func (t transport) Description() string {
	if d, ok := t.Transport.(ros2.DescribedTransport); ok {
		return d.Description()
	}
	return "unnamed"
}

// NewWriter implements ros2.Transport.
func (t transport) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w := &writer{core: t.core, message: messageOf(cfg.Topic, cfg.Type)}
	onMatch := cfg.OnMatch
	cfg.OnMatch = func(n int) {
		w.matched.Store(int32(n))
		if onMatch != nil {
			onMatch(n)
		}
	}
	var err error
	w.Writer, err = t.Transport.NewWriter(cfg)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// writer charges messages that have a subscriber.
type writer struct {
	ros2.Writer
	core    *Core
	message message
	matched atomic.Int32
}

// Write implements ros2.Writer.
func (w *writer) Write(payload []byte) error {
	if w.matched.Load() > 0 {
		w.core.send(w.message, len(payload))
	}
	return w.Writer.Write(payload)
}

func (c *Core) send(m message, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pay(c.cfg.Prices.sends(m, size, c.state == inCycle || c.state == inCycleSending, c.state == inCycle))
	if c.state == inCycle {
		c.state = inCycleSending
	}
	c.sent += float64(size + headers)
}

// NewReader implements ros2.Transport.
func (t transport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	p := &entity{limit: cfg.QoS.EffectiveDepth()}
	if cfg.QoS.History == ros2.KeepAll {
		p.limit = 0
	}
	if hear := cfg.OnSample; hear != nil {
		cfg.OnSample = func(s ros2.Sample) {
			s.Payload = bytes.Clone(s.Payload)
			t.core.post(p, t.core.cfg.Prices.takes(len(s.Payload)), func() { hear(s) })
		}
	}
	r, err := t.Transport.NewReader(cfg)
	if err != nil {
		return nil, err
	}
	return reading{r, p}, nil
}

type reading struct {
	ros2.Reader
	entity *entity
}

// Close implements ros2.Reader.
func (r reading) Close() error {
	r.entity.close()
	return r.Reader.Close()
}

type serviceTransport struct {
	transport
	services ros2.ServiceTransport
}

// NewServer implements ros2.ServiceTransport.
func (t serviceTransport) NewServer(cfg ros2.ServerConfig) (ros2.Server, error) {
	p := &entity{}
	if serve := cfg.OnRequest; serve != nil {
		cfg.OnRequest = func(q ros2.Request) {
			q.Payload = bytes.Clone(q.Payload)
			t.core.post(p, t.core.cfg.Prices.asked, func() { serve(q) })
		}
	}
	s, err := t.services.NewServer(cfg)
	if err != nil {
		return nil, err
	}
	return server{s, p}, nil
}

type server struct {
	ros2.Server
	entity *entity
}

// Close implements ros2.Server.
func (s server) Close() error {
	s.entity.close()
	return s.Server.Close()
}

// NewRequester implements ros2.ServiceTransport.
func (t serviceTransport) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	return t.services.NewRequester(cfg)
}
