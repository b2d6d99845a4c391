// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// AnonymousTransport is a [Transport] whose samples may not identify their publisher: [MessageInfo.Publisher] is zero.
type AnonymousTransport interface {
	Transport
	// Anonymous reports whether samples do not identify their publisher.
	Anonymous() bool
}

// MatchAllConfig describes a [MatchAllReader].
type MatchAllConfig struct {
	// EndpointConfig is that of every reader. Reliability and durability of its QoS apply while no publisher is known;
	// then each reader requests what its publishers offer. OnEvent is called for lost messages by the reader that would
	// have received them alone.
	EndpointConfig
	// OnSample is called with each message, one at a time, and with the reliability and durability that its publisher
	// offers. It is required.
	OnSample func(s Sample, offered QoS)
	// OnMixed is called once if messages will be missed although their publishers are known: the transport does not
	// identify the publisher of a message, and the publishers differ. requested is the quality of service that all
	// of them match. It may be nil.
	OnMixed func(requested QoS)
	// MaxSampleSize and Loans are those of [ReaderConfig].
	MaxSampleSize int
	Loans         bool
}

// MatchAllReader reads a topic whose publishers differ in quality of service. One reader can't receive all that each
// offers: a reader that requests more than a publisher offers does not match it, and one that requests less gets
// neither its kept messages nor repairs. So there is a reader for each combination of reliability and durability among
// the publishers, and a message is taken from the reader of its publisher's combination. It is safe for concurrent use.
//
// A publisher of a weaker quality of service sees the readers that it does not match and may log that they are
// incompatible; its messages are read by another one.
type MatchAllReader struct {
	t   Transport
	cfg MatchAllConfig

	mu      sync.Mutex // guards readers, order, mixed and closed
	readers map[offer]Reader
	order   []offer // of opening
	mixed   bool    // OnMixed was called
	// matchedAny: the reader of an anonymous transport was opened for publishers that are known.
	matchedAny bool
	closed     bool

	watch  task.Group
	stop   func()
	ending chan struct{}
	ended  chan struct{} // closed when Close has finished
	endErr error         // its error, valid then

	calling  chan struct{} // has an element while OnSample runs
	samples  sync.Mutex    // guards offers and arrivals; never held while OnSample runs
	offers   map[GID]offer
	arrivals map[GID]*arrival

	matches sync.Mutex
	matched map[offer]int
}

// arrival is what has been received from one publisher.
type arrival struct {
	offer offer // what it offers, if known
	known bool  // it was in the graph
	gone  bool  // it has left the graph; copies of its last messages may follow
	own   bool  // the reader of its combination has received a message
	// seen has the sequence numbers that other readers received before that, for the history that may follow; nil
	// after the last of them.
	seen map[int64]struct{}
	last int64 // the highest of them
}

// Limits of what is stored of publishers.
const (
	maxArrivals = 10_000 // publishers
	maxSeen     = 1000   // sequence numbers of a publisher, and up to as many older ones
	maxLookups  = 16     // messages of a publisher that is not in the graph, for which it is looked up
)

// NewMatchAllReader creates the readers for the publishers that are known. Call [MatchAllReader.Update] when publishers
// appear or leave, or [MatchAllReader.Watch] once.
func NewMatchAllReader(t Transport, cfg MatchAllConfig) (*MatchAllReader, error) {
	r := &MatchAllReader{
		t: t, cfg: cfg, readers: map[offer]Reader{}, offers: map[GID]offer{}, arrivals: map[GID]*arrival{}, matched: map[offer]int{},
		ended: make(chan struct{}), calling: make(chan struct{}, 1),
	}
	if err := r.Update(EndpointsOn(t, cfg.Topic)); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Update creates the readers that the publishers among the endpoints of the topic need. Readers that are not needed any
// more stay: messages of a publisher that has left may still arrive.
func (r *MatchAllReader) Update(endpoints []EndpointInfo) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	offers := make(map[GID]offer, len(endpoints))
	var wanted []offer
	for _, e := range endpoints {
		if e.Kind != PublisherEndpoint || e.Topic != r.cfg.Topic || e.Type != r.cfg.Type {
			continue
		}
		o := offerOf(e.QoS)
		offers[e.GID] = o
		if !slices.Contains(wanted, o) {
			wanted = append(wanted, o)
		}
	}
	if t, ok := r.t.(AnonymousTransport); ok && t.Anonymous() {
		return r.openOnly(wanted)
	}
	r.setOffers(offers)
	if len(wanted) == 0 && len(r.readers) == 0 {
		wanted = []offer{offerOf(r.cfg.QoS)}
	}
	var errs []error
	for _, o := range wanted {
		errs = append(errs, r.open(o))
	}
	return errors.Join(errs...)
}

// openOnly replaces the reader by one that matches all the publishers. It does not become stronger again when a publisher
// leaves: a new reader would get kept messages once more, and nothing identifies them.
func (r *MatchAllReader) openOnly(offers []offer) error {
	weakest := offerOf(r.cfg.QoS)
	switch {
	case len(offers) > 0 && r.matchedAny:
		weakest = r.order[0]
	case len(offers) > 0:
		weakest = offer{Reliable, TransientLocal}
	case len(r.readers) > 0:
		return nil
	}
	for _, o := range offers {
		if o.reliability == BestEffort {
			weakest.reliability = BestEffort
		}
		if o.durability == Volatile {
			weakest.durability = Volatile
		}
	}
	stronger := slices.ContainsFunc(offers, func(o offer) bool { return o != weakest })
	if stronger && !r.mixed && r.cfg.OnMixed != nil {
		r.mixed = true
		r.cfg.OnMixed(weakest.of(r.cfg.QoS))
	}
	if err := r.open(weakest); err != nil {
		return err
	}
	r.matchedAny = r.matchedAny || len(offers) > 0
	var errs []error
	for o, reader := range r.readers {
		if o != weakest {
			errs = append(errs, reader.Close())
			delete(r.readers, o)
			r.setMatched(o, 0)
		}
	}
	r.order = []offer{weakest}
	return errors.Join(errs...)
}

// open creates the reader of a combination, once.
func (r *MatchAllReader) open(o offer) error {
	if r.readers[o] != nil {
		return nil
	}
	cfg := r.cfg.EndpointConfig
	cfg.QoS = o.of(cfg.QoS)
	cfg.OnMatch = func(n int) { r.setMatched(o, n) }
	if cfg.OnIncompatible != nil {
		cfg.OnIncompatible = func(remote EndpointInfo, policies QoSPolicy) {
			if offerOf(remote.QoS) == o { // else another reader matches it
				r.cfg.OnIncompatible(remote, policies)
			}
		}
	}
	if cfg.OnEvent != nil {
		cfg.OnEvent = func(ev EndpointEvent) {
			if ev.Kind != EventMessageLost || r.receives(o, ev.Remote.GID) {
				r.cfg.OnEvent(ev)
			}
		}
	}
	reader, err := r.t.NewReader(ReaderConfig{
		EndpointConfig: cfg, OnSample: func(s Sample) { r.receive(o, s) }, MaxSampleSize: r.cfg.MaxSampleSize, Loans: r.cfg.Loans,
	})
	if err != nil {
		return err
	}
	r.readers[o] = reader
	r.order = append(r.order, o)
	return nil
}

// receive passes on a message of the reader o, unless another reader receives it.
func (r *MatchAllReader) receive(o offer, s Sample) {
	r.calling <- struct{}{}
	defer func() { <-r.calling }()
	if offered, ok := r.take(o, s.Info); ok {
		r.cfg.OnSample(s, offered.of(r.cfg.QoS))
	}
}

// Watch calls Update after each change of the graph until the reader is closed. failed is called with each error; it may
// be nil. A second call has no effect.
func (r *MatchAllReader) Watch(failed func(error)) {
	changed := make(chan struct{}, 1)
	changed <- struct{}{} // what has changed since the reader was created
	ending := make(chan struct{})
	cancel := r.t.OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.stop != nil {
		cancel()
		return
	}
	r.stop, r.ending = cancel, ending
	r.watch.Go("publishers of a topic", func() {
		for {
			select {
			case <-ending:
				return
			case <-r.t.Done():
				return
			case <-changed:
			}
			if err := r.Update(EndpointsOn(r.t, r.cfg.Topic)); err != nil && failed != nil {
				failed(fmt.Errorf("subscription of %s: %w", r.cfg.Topic, err))
			}
		}
	})
}

// GID identifies the first reader in the graph.
func (r *MatchAllReader) GID() GID {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.order) == 0 {
		return GID{}
	}
	return r.readers[r.order[0]].GID()
}

// Close removes the readers; no callback runs after it has returned, unless one takes longer than a second: then the
// error matches [ErrStuck], and Close returns within two seconds. It must not be called from a callback. It may be called
// several times, also concurrently: each call returns when the readers are removed, with the same error.
func (r *MatchAllReader) Close() error {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	stop, ending := r.stop, r.ending
	r.mu.Unlock()
	if first {
		r.endErr = r.close(stop, ending)
		close(r.ended)
	}
	<-r.ended
	return r.endErr
}

func (r *MatchAllReader) close(stop func(), ending chan struct{}) error {
	if stop != nil {
		stop()
		close(ending)
		r.watch.Wait()
	}
	// Each waits up to a second for a callback that does not return: together, not in sequence.
	errs := make([]error, len(r.order)) // no Update changes them any more
	var group task.Group
	for i, o := range r.order {
		reader := r.readers[o]
		group.Go("close a reader", func() { errs[i] = reader.Close() })
	}
	group.Wait()
	return errors.Join(errs...)
}
