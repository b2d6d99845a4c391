// SPDX-License-Identifier: Apache-2.0

package waiting

import (
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// delay is how long a program waits before it reports for what: discovery takes less. interval is the minimum time
// between two reports, which differ.
const (
	delay    = time.Second
	interval = 2 * time.Second
)

// Text describes what is waited for and why it does not come: the peers that are missing, or, if all match, that they
// have not sent anything. Of nodes that are known it is empty.
func Text(g ros2.Graph, peers ...Peer) string {
	var lines []string
	for _, p := range peers {
		if reason := p.Missing(g); reason != "" {
			lines = append(lines, "waiting for "+p.String()+": "+reason)
		}
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	for _, p := range peers {
		if p.Node {
			continue // it is known
		}
		nodes := p.Matched(g)
		if len(nodes) > maxReasons {
			nodes = append(nodes[:maxReasons:maxReasons], "others")
		}
		text := "waiting for " + p.String() + ": " + strings.Join(nodes, ", ") + " is found and has not matched yet"
		switch {
		case p.Kind == ros2.PublisherEndpoint && !p.Action:
			text = "waiting for a message on " + p.Name + ": published by " + strings.Join(nodes, ", ") + ", none has arrived yet"
		case p.Action || p.Kind == ros2.ServiceEndpoint:
			text = "waiting for " + strings.TrimPrefix(p.noun(), "server of ") + " " + p.Name + ": its server in " +
				strings.Join(nodes, ", ") + " has not answered yet"
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// Notice calls say with [Text] after a second, and again when the text has changed, until stop is called. say runs on
// another goroutine, and not after stop has returned; it must not call stop.
func Notice(t ros2.Transport, say func(text string), peers ...Peer) (stop func()) {
	ending := make(chan struct{})
	changed := make(chan struct{}, 1)
	cancel := t.OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	var group task.Group
	group.Go("report what is waited for", func() {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		for last := ""; ; {
			select {
			case <-ending:
				return
			case <-t.Done():
				return
			case <-timer.C:
			}
			if text := Text(t.Graph(), peers...); text != last {
				if last = text; text != "" {
					say(text)
				}
			}
			timer.Reset(interval)
			select {
			case <-ending:
				return
			case <-t.Done():
				return
			case <-changed:
			}
		}
	})
	var once sync.Once
	return func() {
		once.Do(func() {
			cancel()
			close(ending)
			group.Wait()
		})
	}
}
