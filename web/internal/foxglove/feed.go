// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"encoding/base64"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// Feed has channels that are not topics of ROS: those of a recording whose messages have another encoding, such as JSON
// or Protobuf. Viewers get the messages as they are. It is safe for concurrent use.
type Feed struct {
	mu       sync.Mutex
	channels []*FeedChannel
	watchers map[*func()]struct{}
}

// ChannelInfo describes a channel of a [Feed], in the terms of Foxglove's protocol.
type ChannelInfo struct {
	Topic, Encoding string
	// SchemaName, SchemaEncoding and Schema are empty if there is no schema.
	SchemaName, SchemaEncoding string
	Schema                     []byte
}

// FeedChannel is a channel of a [Feed]. It is safe for concurrent use.
type FeedChannel struct {
	feed *Feed
	info ChannelInfo

	mu        sync.Mutex
	listeners map[*feedListener]struct{}
}

type feedListener struct {
	put func(data []byte, at time.Time)
}

// NewFeed returns a feed without channels.
func NewFeed() *Feed { return &Feed{watchers: map[*func()]struct{}{}} }

// Open adds a channel.
func (f *Feed) Open(info ChannelInfo) *FeedChannel {
	c := &FeedChannel{feed: f, info: info, listeners: map[*feedListener]struct{}{}}
	f.mu.Lock()
	f.channels = append(f.channels, c)
	f.mu.Unlock()
	f.changed()
	return c
}

// Close removes the channel. It may be called more than once.
func (c *FeedChannel) Close() error {
	c.feed.mu.Lock()
	c.feed.channels = slices.DeleteFunc(c.feed.channels, func(o *FeedChannel) bool { return o == c })
	c.feed.mu.Unlock()
	c.feed.changed()
	return nil
}

// Write sends a message to the viewers that subscribe to the channel. It copies the message and does not wait.
func (c *FeedChannel) Write(data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.listeners) == 0 {
		return nil
	}
	data, now := slices.Clone(data), time.Now()
	for l := range c.listeners {
		l.put(data, now)
	}
	return nil
}

// subscribe calls put with each message until cancel is called.
func (c *FeedChannel) subscribe(put func(data []byte, at time.Time)) (cancel func()) {
	l := &feedListener{put}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners[l] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.listeners, l)
	}
}

func (f *Feed) changed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for w := range f.watchers {
		(*w)()
	}
}

// watch calls wake after changes until stop is called; wake must not block.
func (f *Feed) watch(wake func()) (stop func()) {
	if f == nil {
		return func() {}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watchers[&wake] = struct{}{}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, &wake)
	}
}

// list returns the channels.
func (f *Feed) list() []*FeedChannel {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.channels)
}

// schemaText returns the schema as the protocol demands it: those of binary form are in base64.
func (i *ChannelInfo) schemaText() string {
	switch i.SchemaEncoding {
	case "protobuf", "flatbuffer":
		return base64.StdEncoding.EncodeToString(i.Schema)
	}
	return string(i.Schema)
}

// feedDepth is how many messages of a channel wait for a viewer: it is not known whether each of them matters.
const feedDepth = 50

// subscribeFeed subscribes to a channel of the feed.
func (c *client) subscribeFeed(id uint32, from *FeedChannel, s *subscription, o outbox.FlowOptions) {
	o.Depth = feedDepth
	s.flow = c.box.Flow(o)
	s.cancel = from.subscribe(func(data []byte, at time.Time) {
		s.flow.Put(outbox.Frame{Head: messageHead(id, uint64(at.UnixNano())), Body: data})
	})
}
