// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package conformance

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// rest detects when a network of real sockets and threads is at rest: for a while no node's graph has changed and no
// message has arrived. Messages on the loopback interface take much less time. A slow machine only makes tests slower,
// up to settleTimeout.
type rest struct{ events atomic.Int64 }

const (
	lookInterval  = 25 * time.Millisecond
	restLooks     = 32 // looks without a change in between
	settleTimeout = 20 * time.Second
)

// watch counts the events of tr.
func (r *rest) watch(tr ros2.Transport) ros2.Transport {
	tr.OnGraphChange(func() { r.events.Add(1) })
	if services, ok := tr.(ros2.ServiceTransport); ok {
		return watched{services, r}
	}
	return tr
}

// settle returns when the network is at rest.
func (r *rest) settle() {
	look := time.NewTicker(lookInterval)
	defer look.Stop()
	end := time.Now().Add(settleTimeout)
	last, quiet := r.events.Load(), 0
	for now := range look.C {
		if n := r.events.Load(); n != last {
			last, quiet = n, 0
		} else {
			quiet++
		}
		if quiet >= restLooks || now.After(end) {
			return
		}
	}
}

// watched counts messages and matches, too.
type watched struct {
	ros2.ServiceTransport
	rest *rest
}

func (w watched) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w.rest.watchMatches(&cfg.EndpointConfig)
	return w.ServiceTransport.NewWriter(cfg)
}

func (w watched) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	w.rest.watchMatches(&cfg.EndpointConfig)
	onSample := cfg.OnSample
	cfg.OnSample = func(s ros2.Sample) {
		onSample(s)
		w.rest.events.Add(1)
	}
	return w.ServiceTransport.NewReader(cfg)
}

func (r *rest) watchMatches(cfg *ros2.EndpointConfig) {
	onMatch, onIncompatible := cfg.OnMatch, cfg.OnIncompatible
	cfg.OnMatch = func(n int) {
		r.events.Add(1)
		if onMatch != nil {
			onMatch(n)
		}
	}
	if onIncompatible != nil {
		cfg.OnIncompatible = func(e ros2.EndpointInfo, p ros2.QoSPolicy) {
			r.events.Add(1)
			onIncompatible(e, p)
		}
	}
}

func (w watched) NewServer(cfg ros2.ServerConfig) (ros2.Server, error) {
	onRequest := cfg.OnRequest
	cfg.OnRequest = func(r ros2.Request) {
		w.rest.events.Add(1)
		onRequest(r)
	}
	return w.ServiceTransport.NewServer(cfg)
}

func (w watched) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	onAvailable := cfg.OnAvailable
	cfg.OnAvailable = func(available bool) {
		w.rest.events.Add(1)
		if onAvailable != nil {
			onAvailable(available)
		}
	}
	return w.ServiceTransport.NewRequester(cfg)
}
