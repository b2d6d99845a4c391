// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// lossyTransport reports losses to the readers of a topic.
type lossyTransport struct {
	*ros2test.Transport
	mu      sync.Mutex
	readers map[string][]ros2.EndpointConfig // by topic
}

func (l *lossyTransport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.readers[cfg.Topic] = append(l.readers[cfg.Topic], cfg.EndpointConfig)
	return l.Transport.NewReader(cfg)
}

// lose reports to every reader of a topic that messages of a publisher are lost; the readers see the publisher alike.
func (l *lossyTransport) lose(topic string, publisher ros2.GID, n int) {
	l.mu.Lock()
	readers := l.readers[topic]
	l.mu.Unlock()
	for _, r := range readers {
		r.OnEvent(ros2.EndpointEvent{Kind: ros2.EventMessageLost, Total: n, Change: n, Remote: ros2.EndpointInfo{GID: publisher}})
		r.OnEvent(ros2.EndpointEvent{Kind: ros2.EventRequestedDeadlineMissed, Total: 1, Change: 1})
	}
}

// TestLossesAreCountedOnceByCause: messages that the transport or a publisher lost, and those for which the queue or the
// disk had no space, appear in the summary with their cause, each once.
func TestLossesAreCountedOnceByCause(t *testing.T) {
	for name, c := range map[string]struct {
		lose  func(g *rig, l *lossyTransport, dropped *atomic.Uint64)
		want  Losses
		fails string // of the recording; "" is none
	}{
		"none": {func(*rig, *lossyTransport, *atomic.Uint64) {}, Losses{}, ""},
		"on the network, of publishers that differ": {func(g *rig, l *lossyTransport, _ *atomic.Uint64) {
			for _, e := range g.talker.Graph().EndpointsOn("/a") {
				if e.Kind == ros2.PublisherEndpoint {
					l.lose("/a", e.GID, 3)
				}
			}
		}, Losses{Publisher: 6}, ""},
		"by a publisher": {func(_ *rig, _ *lossyTransport, dropped *atomic.Uint64) { dropped.Add(5) }, Losses{Publisher: 5}, ""},
		"while it is paused": {func(g *rig, l *lossyTransport, _ *atomic.Uint64) {
			g.r.Pause()
			l.lose("/a", ros2.GID{}, 9)
			g.r.resume()
		}, Losses{}, ""},
		"larger than the queue": {func(g *rig, _ *lossyTransport, _ *atomic.Uint64) {
			say := g.publisher("large", ros2.DefaultQoS())
			g.settle() // the recorder subscribes
			say(strings.Repeat("x", 70<<10))
		}, Losses{Queue: 1}, "the disk is too slow"},
		"all": {func(g *rig, l *lossyTransport, dropped *atomic.Uint64) {
			dropped.Add(2)
			say := g.publisher("large", ros2.DefaultQoS())
			g.settle() // the recorder subscribes
			say(strings.Repeat("x", 70<<10))
			g.settle()
			g.r.cfg.disk.(*failingDisk).fail(syscall.EIO)
			g.publisher("large", ros2.DefaultQoS())("not written")
			g.settle()
		}, Losses{Queue: 1, Disk: 1, Publisher: 2}, ": 1: the disk failed; 1: the disk is too slow"},
	} {
		t.Run(name, func(t *testing.T) {
			var dropped atomic.Uint64
			dropped.Store(77) // before the recording
			disk := &failingDisk{}
			inBubble(t, Config{}, func(g *rig) {
				g.stop() // of this rig's own recorder, which has no bag
				l := &lossyTransport{Transport: g.net.NewTransport(), readers: map[string][]ros2.EndpointConfig{}}
				g.recorderOn(Config{Cache: 64 << 10, ChunkSize: 8 << 10, Dropped: dropped.Load, disk: disk}, l)
				g.publisher("a", ros2.DefaultQoS())
				say := g.publisher("a", ros2.SensorDataQoS())
				g.start("run")
				say("1")
				c.lose(g, l, &dropped)
				g.settle()
				s := g.r.Status()
				if c.want.Disk == 0 && (s.Losses != c.want || s.Lost != c.want.Total()) {
					t.Errorf("%+v, want %+v", s.Losses, c.want)
				}
				g.cancel()
				g.cancel = nil
				err := <-g.result
				if (err == nil) != (c.fails == "") || c.fails != "" && (!errors.Is(err, errLost) || !strings.Contains(err.Error(), c.fails)) {
					t.Errorf("ended with %v, want %q", err, c.fails)
				}
				want := fmt.Sprintf("lost=%d lost_queue_full=%d lost_disk=%d lost_by_publishers=%d lost_other_type=0", c.want.Total(), c.want.Queue, c.want.Disk, c.want.Publisher)
				if !strings.Contains(g.log.String(), want) {
					t.Errorf("the log lacks %q:\n%s", want, g.log)
				}
				if warned := strings.Contains(g.log.String(), "messages did not arrive"); warned != (c.want.Publisher > 0) {
					t.Errorf("warned: %t\n%s", warned, g.log)
				}
				time.Sleep(time.Second)
			})
		})
	}
}
