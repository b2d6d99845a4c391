// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// clockTopic is the topic of simulated time.
const clockTopic = "/clock"

// errWithdrawn is about a channel or subscription that does not exist, perhaps not any more.
var errWithdrawn = fmt.Errorf("%w", ErrMessage)

// maxSubscriptions bounds what a client may subscribe to.
const maxSubscriptions = 500

// subscription is a client's subscription of a channel.
type subscription struct {
	channel uint32
	flow    *outbox.Flow
	cancel  func()
}

func (s *subscription) close() {
	s.cancel()
	s.flow.Close()
}

// depths are the queue depths of message types of which each message matters; of all others only the latest is sent.
var depths = map[string]int{
	"rcl_interfaces/msg/Log": 200, "rcl_interfaces/msg/ParameterEvent": 50, "tf2_msgs/msg/TFMessage": 50,
	"diagnostic_msgs/msg/DiagnosticArray": 20, "visualization_msgs/msg/MarkerArray": 20, "visualization_msgs/msg/Marker": 50,
}

func (c *client) subscribe(data []byte) error {
	var m struct {
		Subscriptions []struct {
			ID          uint32  `json:"id"`
			Channel     uint32  `json:"channelId"`
			Period      float64 `json:"period"` // ms; PageProtocol
			Acknowledge bool    `json:"acknowledge"`
		} `json:"subscriptions"`
	}
	if err := read(data, &m, "subscriptions"); err != nil {
		return err
	}
	for _, s := range m.Subscriptions {
		period := time.Duration(math.Min(math.Max(s.Period, 0), 60_000) * float64(time.Millisecond))
		if err := c.subscribeOne(s.ID, s.Channel, outbox.FlowOptions{Period: period, Acknowledge: s.Acknowledge}); err != nil {
			if err := c.status(c.levelOf(err), err); err != nil {
				return err
			}
		}
	}
	return nil
}

// levelOf returns the level of a status. What the page does with a channel while it is withdrawn is no error: it
// subscribes again when the channel is advertised.
func (c *client) levelOf(err error) int {
	if c.page && errors.Is(err, errWithdrawn) {
		return statusWarning
	}
	return statusError
}

func (c *client) subscribeOne(id, channel uint32, o outbox.FlowOptions) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.channels[channel]
	fed := c.feed[channel]
	if !ok && fed == nil {
		return fmt.Errorf("%w: channel %d is not advertised", errWithdrawn, channel)
	}
	if _, used := c.subscriptions[id]; used {
		return fmt.Errorf("%w: subscription %d is there already", ErrMessage, id)
	}
	for _, s := range c.subscriptions {
		if s.channel == channel && !c.page {
			return fmt.Errorf("%w: channel %d is subscribed already", ErrMessage, channel)
		}
	}
	if len(c.subscriptions) >= maxSubscriptions {
		return fmt.Errorf("%w: more than %d subscriptions", ErrMessage, maxSubscriptions)
	}
	if c.subscriptions == nil {
		c.subscriptions = map[uint32]*subscription{}
	}
	if fed != nil {
		s := &subscription{channel: channel}
		c.subscribeFeed(id, fed, s, o)
		c.subscriptions[id] = s
		return nil
	}
	o.Depth = depths[t.Type]
	s := &subscription{channel: channel, flow: c.box.Flow(o)}
	cancel, err := c.hub.Subscribe(t.Name, t.Type, func(m *hub.Message) {
		s.flow.Put(outbox.Frame{Head: messageHead(id, uint64(m.Received.UnixNano())), Body: m.Data})
	})
	if err != nil {
		s.flow.Close()
		return err
	}
	s.cancel = cancel
	c.subscriptions[id] = s
	return nil
}

func (c *client) unsubscribe(data []byte) error {
	var m struct {
		IDs []uint32 `json:"subscriptionIds"`
	}
	if err := read(data, &m, "subscriptionIds"); err != nil {
		return err
	}
	for _, id := range m.IDs {
		c.mu.Lock()
		s := c.subscriptions[id]
		delete(c.subscriptions, id)
		c.mu.Unlock()
		if s == nil {
			err := fmt.Errorf("%w: no subscription %d", errWithdrawn, id)
			if err := c.status(c.levelOf(err), err); err != nil {
				return err
			}
			continue
		}
		s.close()
	}
	return nil
}

// dropSubscriptionsLocked removes the subscriptions of withdrawn channels; the caller closes them.
func (c *client) dropSubscriptionsLocked(channels []uint32) (gone []*subscription) {
	for id, s := range c.subscriptions {
		if slices.Contains(channels, s.channel) {
			delete(c.subscriptions, id)
			gone = append(gone, s)
		}
	}
	return gone
}

// acknowledge marks the last message of a subscription as processed.
func (c *client) acknowledge(data []byte) error {
	var m struct {
		ID uint32 `json:"subscriptionId"`
	}
	if err := read(data, &m, "subscriptionId"); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.subscriptions[m.ID]; s != nil {
		s.flow.Acknowledge()
	}
	return nil
}

// followClock sends the time of /clock whenever it is published.
func (c *client) followClock() error {
	flow := c.box.Flow(outbox.FlowOptions{})
	var last atomic.Uint64
	cancel, err := c.hub.Subscribe(clockTopic, "rosgraph_msgs/msg/Clock", func(m *hub.Message) {
		var now rosgraph_msgs.Clock
		if cdr.Unmarshal(m.Data, &now) != nil || now.Clock.Sec < 0 {
			return
		}
		ns := uint64(now.Clock.Sec)*uint64(time.Second) + uint64(now.Clock.Nanosec)
		if last.Swap(ns) != ns {
			flow.Put(outbox.Frame{Head: timeFrame(ns)})
		}
	})
	if err != nil {
		return err
	}
	c.cancelClock = cancel
	return nil
}
