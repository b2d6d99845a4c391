// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// channel is a topic in the protocol's terms.
type channel struct {
	ID             uint32 `json:"id"`
	Topic          string `json:"topic"`
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	SchemaEncoding string `json:"schemaEncoding"`
	Schema         string `json:"schema"`
}

// schema is the request or response of a service.
type schema struct {
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	SchemaEncoding string `json:"schemaEncoding"`
	Schema         string `json:"schema"`
}

// service is a service in the protocol's terms.
type service struct {
	ID       uint32 `json:"id"`
	Name     string `json:"name"`
	Type     string `json:"type"`
	Request  schema `json:"request"`
	Response schema `json:"response"`
}

func (c *client) wake() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// welcome sends the first messages to a client.
func (c *client) welcome() error {
	capabilities := []string{capClientPublish, capParameters, capSubscribe, capServices, capGraph}
	if c.server.cfg.Asset != nil {
		capabilities = append(capabilities, capAssets)
	}
	g := c.hub.Graph()
	if t, ok := g.Topic(clockTopic); ok && len(t.Publishers) > 0 {
		capabilities = append(capabilities, capTime)
		if err := c.followClock(); err != nil {
			return err
		}
	}
	filmed := "" // the robot whose live video is available
	if c.server.cfg.Live != nil {
		filmed = c.server.cfg.LiveRobot
	}
	info := map[string]any{
		"op": "serverInfo", "name": c.server.cfg.Name,
		"supportedEncodings": []string{encodingCDR, encodingJSON},
		"metadata": map[string]string{
			"ROS_DISTRO": c.server.cfg.Distro, "role": c.role.String(), "live": filmed, "domain": c.server.cfg.Domain,
		},
	}
	if p := c.server.cfg.Playback; p != nil {
		capabilities = append(capabilities, capPlayback)
		s := p.State()
		info["dataStartTime"], info["dataEndTime"] = jsonTime(s.Start), jsonTime(s.End)
	}
	info["capabilities"] = capabilities
	return c.say(info)
}

// sendChanges sends changes of the network and of the drivers to the client until it disconnects.
func (c *client) sendChanges() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case event := <-c.events:
			if c.sendParameters(event) != nil {
				c.box.Close()
				return
			}
			continue
		case <-c.news:
		}
		g := c.hub.Graph()
		for _, send := range []func(*hub.Graph) error{c.sendChannels, c.sendServices, c.sendGraph, c.sendControl} {
			if send(&g) != nil { // the queue is full or closed: the reading goroutine gets that error, too
				c.box.Close()
				return
			}
		}
	}
}

// sendChannels advertises topics that have a publisher and a known type, and the channels of the feed, and withdraws
// the others. A type without description is reported once.
func (c *client) sendChannels(g *hub.Graph) error {
	now, feed := map[uint32]hub.Topic{}, map[uint32]*FeedChannel{}
	var added []channel
	var unknown []hub.Topic
	c.mu.Lock()
	for _, t := range g.Topics {
		if len(t.Publishers) == 0 {
			continue
		}
		typ, ok := c.hub.Type(t)
		if !ok {
			if c.hub.Undescribed(t) && !c.undescribed[t.Type] {
				unknown = append(unknown, t)
			}
			continue
		}
		id := c.server.ids.id("topic " + t.Name + " " + t.Type + " " + typ.Hash())
		now[id] = t
		if _, known := c.channels[id]; !known {
			added = append(added, channel{id, t.Name, encodingCDR, t.Type, schemaKind, typ.MsgText()})
		}
	}
	added = append(added, c.feedChannelsLocked(feed)...)
	removed := append(missing(c.channels, now), missing(c.feed, feed)...)
	c.channels, c.feed = now, feed
	gone := c.dropSubscriptionsLocked(removed)
	c.mu.Unlock()
	for _, s := range gone {
		s.close()
	}
	if err := c.reportUndescribed(unknown); err != nil {
		return err
	}
	if len(removed) > 0 {
		if err := c.say(map[string]any{"op": "unadvertise", "channelIds": removed}); err != nil {
			return err
		}
	}
	if len(added) == 0 {
		return nil
	}
	return c.say(map[string]any{"op": "advertise", "channels": added})
}

// feedChannelsLocked collects the channels of the feed in now and returns those that the client does not know yet. The
// page decodes topics of ROS alone.
func (c *client) feedChannelsLocked(now map[uint32]*FeedChannel) (added []channel) {
	if c.page {
		return nil
	}
	for _, f := range c.server.cfg.Feed.list() {
		i := &f.info
		id := c.server.ids.id("feed " + i.Topic + " " + i.Encoding + " " + i.SchemaName)
		now[id] = f
		if c.feed[id] == nil {
			added = append(added, channel{id, i.Topic, i.Encoding, i.SchemaName, i.SchemaEncoding, i.schemaText()})
		}
	}
	return added
}

// reportUndescribed reports to the client why topics are not advertised.
func (c *client) reportUndescribed(topics []hub.Topic) error {
	for _, t := range topics {
		c.mu.Lock()
		again := c.undescribed[t.Type]
		if c.undescribed == nil {
			c.undescribed = map[string]bool{}
		}
		c.undescribed[t.Type] = true
		c.mu.Unlock()
		if again {
			continue
		}
		err := c.status(statusWarning, fmt.Errorf("topic %s cannot be shown: %w: %s: neither this program nor a node of the topic describes it", t.Name, hub.ErrUnknownType, t.Type))
		if err != nil {
			return err
		}
	}
	return nil
}

// sendServices does the same for services.
func (c *client) sendServices(g *hub.Graph) error {
	now := map[uint32]hub.Service{}
	var added []service
	c.mu.Lock()
	for _, s := range g.Services {
		request, response, ok := c.hub.ServiceType(s)
		if !ok {
			continue
		}
		id := c.server.ids.id("service " + s.Name + " " + s.Type + " " + request.Hash() + response.Hash())
		now[id] = s
		if _, known := c.services[id]; !known {
			added = append(added, service{id, s.Name, s.Type, half(request, s.Type+"_Request"), half(response, s.Type+"_Response")})
		}
	}
	removed := missing(c.services, now)
	c.services = now
	c.mu.Unlock()
	if len(removed) > 0 {
		if err := c.say(map[string]any{"op": "unadvertiseServices", "serviceIds": removed}); err != nil {
			return err
		}
	}
	if len(added) == 0 {
		return nil
	}
	return c.say(map[string]any{"op": "advertiseServices", "services": added})
}

func half(t *dynamic.Type, name string) schema {
	return schema{encodingCDR, name, schemaKind, t.MsgText()}
}

// missing lists the entries of the old set that are not in the new one.
func missing[V any](was, now map[uint32]V) []uint32 {
	var ids []uint32
	for id := range was {
		if _, still := now[id]; !still {
			ids = append(ids, id)
		}
	}
	return ids
}

// describe sends the definition of a type that the program has: of topics without a publisher, which are no channels.
func (c *client) describe(data []byte) error {
	if !c.page {
		return fmt.Errorf("%w: op %q", ErrMessage, "describe")
	}
	var m struct {
		ID   uint32 `json:"id"`
		Type string `json:"type"`
	}
	if err := read(data, &m, "id", "type"); err != nil {
		return err
	}
	answer := map[string]any{"op": "description", "id": m.ID}
	if t, err := c.hub.Known(m.Type); err != nil {
		answer["error"] = err.Error()
	} else {
		answer["schema"] = t.MsgText()
	}
	return c.say(answer)
}
