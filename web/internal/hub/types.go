// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

const (
	describeService = "/get_type_description"
	describeType    = "type_description_interfaces/srv/GetTypeDescription"
	describeTime    = 2 * time.Second  // for the response of a node
	describeAgain   = 60 * time.Second // after no node knew a type
)

// typeBook caches types by name and hash. The zero value is ready.
type typeBook struct {
	mu     sync.Mutex
	byName map[string]knownType // the types of this program
	asked  map[typeKey]*answer  // responses of nodes
}

// knownType is a type with its hash, which is expensive to compute.
type knownType struct {
	*dynamic.Type
	hash string
}

type typeKey struct{ name, hash string }

// answer is a node's description of a type: nil until it arrives, and if no node knew it.
type answer struct {
	typ   *dynamic.Type
	asked time.Time
	ended bool // all nodes have been asked
}

// known returns a type that this program defines, and its hash; nil if it does not.
func (b *typeBook) known(types dynamic.Lookup, name string) (*dynamic.Type, string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k, ok := b.byName[name]
	if !ok {
		t, err := dynamic.Resolve(name, types)
		if err != nil {
			return nil, ""
		}
		if b.byName == nil {
			b.byName = map[string]knownType{}
		}
		k = knownType{t, t.Hash()}
		b.byName[name] = k
	}
	return k.Type, k.hash
}

// chosen returns the hash of the definition by which the messages of a topic are decoded, after one more of its endpoints
// in the order of a graph, which has publishers first. If publishers announce several it is that which this program has,
// else the first; subscriptions, of which one is the hub's own, count only if no publisher announces any.
func (b *typeBook) chosen(types dynamic.Lookup, before string, e *ros2.EndpointInfo) string {
	if before == "" || e.TypeHash == "" || before == e.TypeHash || e.Kind != ros2.PublisherEndpoint {
		return cmp.Or(before, e.TypeHash)
	}
	if _, ours := b.known(types, e.Type); e.TypeHash == ours {
		return ours
	}
	return before
}

// hashOf returns the hash of the definition by which the messages of a topic are decoded.
func (h *Hub) hashOf(key topicKey, endpoints []ros2.EndpointInfo) (hash string) {
	for i := range endpoints {
		if endpoints[i].Type == key.rosType {
			hash = h.types.chosen(h.cfg.Types, hash, &endpoints[i])
		}
	}
	return hash
}

// Known returns a message type that this program defines. An error matches [ErrUnknownType].
func (h *Hub) Known(rosType string) (*dynamic.Type, error) {
	t, _ := h.types.known(h.cfg.Types, rosType)
	if t == nil {
		return nil, fmt.Errorf("%w: %q", ErrUnknownType, rosType)
	}
	return t, nil
}

// Type returns the type of a topic. If this program does not know it, or the topic's endpoints announce another
// layout of it, a node of the topic is queried: until it has responded ok is false, and watchers are notified when it
// has.
func (h *Hub) Type(t Topic) (typ *dynamic.Type, ok bool) {
	return h.lookUp(t.Type, t.Hash, append(slices.Clone(t.Publishers), t.Subscribers...))
}

// ServiceType returns the request and response of a service's type, as Type does.
func (h *Hub) ServiceType(s Service) (request, response *dynamic.Type, ok bool) {
	request, _ = h.types.known(h.cfg.Types, s.Type+"_Request")
	response, _ = h.types.known(h.cfg.Types, s.Type+"_Response")
	if request != nil && response != nil {
		return request, response, true
	}
	whole, ok := h.lookUp(s.Type, s.Hash, s.Nodes)
	if !ok {
		return nil, nil, false
	}
	req, res := whole.Index("request_message"), whole.Index("response_message")
	if req < 0 || res < 0 {
		return nil, nil, false
	}
	return whole.Fields[req].Type, whole.Fields[res].Type, true
}

func (h *Hub) lookUp(name, hash string, nodes []string) (*dynamic.Type, bool) {
	known, ours := h.types.known(h.cfg.Types, name)
	if known != nil && (hash == "" || hash == ours) {
		return known, true
	}
	if hash == "" {
		return nil, false
	}
	key := typeKey{name, hash}
	h.types.mu.Lock()
	defer h.types.mu.Unlock()
	if a := h.types.asked[key]; a != nil {
		if a.typ != nil {
			return a.typ, true
		}
		if time.Since(a.asked) < describeAgain {
			return known, known != nil
		}
	}
	if h.types.asked == nil {
		h.types.asked = map[typeKey]*answer{}
	}
	h.types.asked[key] = &answer{asked: time.Now()}
	if h.ctx.Err() == nil {
		h.wg.Go("web types", func() { h.askNodes(key, nodes) })
	}
	return known, known != nil
}

// askNodes queries the nodes in sequence for a type.
func (h *Hub) askNodes(key typeKey, nodes []string) {
	for _, node := range nodes {
		ctx, cancel := context.WithTimeout(h.ctx, describeTime)
		typ, err := h.describe(ctx, node+describeService, key)
		cancel()
		if err == nil {
			h.types.mu.Lock()
			h.types.asked[key].typ = typ
			h.types.mu.Unlock()
			h.graphChanged()
			return
		}
	}
	h.types.mu.Lock()
	h.types.asked[key].ended = true
	h.types.mu.Unlock()
	h.graphChanged()
}

// Undescribed reports whether [Hub.Type] does not know the type of a topic because no node describes it: its endpoints
// announce no hash, or all nodes of the topic have been asked.
func (h *Hub) Undescribed(t Topic) bool {
	if known, _ := h.types.known(h.cfg.Types, t.Type); known != nil {
		return false
	}
	if t.Hash == "" {
		return true
	}
	h.types.mu.Lock()
	defer h.types.mu.Unlock()
	a := h.types.asked[typeKey{t.Type, t.Hash}]
	return a != nil && a.typ == nil && a.ended
}

// describe queries one node. The name and the hash of the description must be those requested.
func (h *Hub) describe(ctx context.Context, service string, key typeKey) (*dynamic.Type, error) {
	g := h.Graph()
	if _, ok := g.Service(service); !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoService, service)
	}
	request, err := h.Known(describeType + "_Request")
	if err != nil {
		return nil, err
	}
	m := dynamic.New(request)
	if err := m.Set("type_name", key.name); err != nil {
		return nil, err
	}
	if err := m.Set("type_hash", key.hash); err != nil {
		return nil, err
	}
	response, err := h.CallMessage(ctx, service, describeType, m)
	if err != nil {
		return nil, err
	}
	v, _ := response.Get("type_description")
	d, ok := v.(*dynamic.Message)
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownType, key.name)
	}
	typ, err := dynamic.FromDescription(d)
	if err != nil || typ.Name != key.name || typ.Hash() != key.hash && !isServiceOf(typ, key.hash) {
		return nil, fmt.Errorf("%w: %s describes another type", ErrUnknownType, service)
	}
	return typ, nil
}

// isServiceOf reports whether t is a service whose request has the hash: endpoints of services announce that one.
func isServiceOf(t *dynamic.Type, hash string) bool {
	i := t.Index("request_message")
	return i >= 0 && t.Fields[i].Type != nil && t.Fields[i].Type.Hash() == hash
}

// CallMessage calls a service of a type that this program knows.
func (h *Hub) CallMessage(ctx context.Context, service, rosType string, request *dynamic.Message) (*dynamic.Message, error) {
	response, err := h.Known(rosType + "_Response")
	if err != nil {
		return nil, err
	}
	payload, err := cdr.Marshal(nil, request)
	if err != nil {
		return nil, err
	}
	reply, err := h.Call(ctx, service, rosType, payload)
	if err != nil {
		return nil, err
	}
	return dynamic.Decode(response, reply)
}
