// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"strings"
	"sync"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ownPeer is our stack as a peer program: it takes the commands of
// testdata/common/main.c, for strings and images, and tells the same events. So
// our stack can live on another machine than the test, as the other stacks do.
type ownPeer struct {
	p       *rtps.Participant
	mu      sync.Mutex // one event at a time
	writers map[string]*ownWriter
}

type ownWriter struct {
	*rtps.Writer
	kind    string
	written int
}

func playPeer(p *rtps.Participant) error {
	own := &ownPeer{p: p, writers: map[string]*ownWriter{}}
	own.tell(doneEvent{Event: "done", Command: "open"})
	return commands(func(words []string) {
		if err := own.execute(words); err != nil {
			own.tell(map[string]string{"event": "error", "what": words[0], "detail": err.Error()})
			return
		}
		own.tell(doneEvent{Event: "done", Command: words[0], ID: words[1]})
	})
}

func (o *ownPeer) tell(e any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = tell(e)
}

func (o *ownPeer) execute(words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("malformed command %q", words)
	}
	id := words[1]
	switch words[0] {
	case "reader", "writer":
		return o.create(words)
	case "write":
		return o.write(id, words[2:])
	}
	return fmt.Errorf("unknown command %q", words)
}

func (o *ownPeer) create(words []string) error {
	var id, kind, topic, reliability, durability string
	var depth int32
	if _, err := fmt.Sscan(strings.Join(words[1:], " "), &id, &kind, &topic, &reliability, &durability, &depth); err != nil {
		return err
	}
	typ, ok := map[string]string{"string": typeString, "image": typeImage}[kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", kind)
	}
	q := qos{reliable: reliability == "reliable", transientLocal: durability == "transient_local", depth: depth}
	onMatch := func(n int, ev rtps.MatchEvent) {
		if ev.Kind != rtps.Incompatible {
			o.tell(map[string]any{"event": "matched", "id": id, "current": n})
		}
	}
	if words[0] == "writer" {
		w, err := o.p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typ, QoS: q.on(wire.DefaultWriterQoS()), OnMatch: onMatch})
		o.writers[id] = &ownWriter{Writer: w, kind: kind}
		return err
	}
	n := 0
	_, err := o.p.NewReader(rtps.ReaderConfig{
		Topic: topic, Type: typ, QoS: q.on(wire.DefaultReaderQoS()), OnMatch: onMatch,
		OnSample: func(s *rtps.Sample) {
			n++
			o.tell(sampleEvent(kind, id, n, s.Payload))
		},
	})
	return err
}

func (o *ownPeer) write(id string, words []string) error {
	w, count := o.writers[id], 0
	if w == nil || len(words) != 1 {
		return fmt.Errorf("no writer %s, or no count in %q", id, words)
	}
	if _, err := fmt.Sscan(words[0], &count); err != nil {
		return err
	}
	for range count {
		w.written++
		payload := numberedString(w.written)
		if w.kind == "image" {
			payload = numberedImage(w.written)
		}
		if err := w.Write(payload); err != nil {
			return err
		}
	}
	return nil
}

// sampleEvent is what report_string and report_image tell.
func sampleEvent(kind, id string, n int, payload []byte) map[string]any {
	e := map[string]any{"event": "sample", "id": id, "n": n}
	if kind == "string" {
		var m std_msgs.String
		if err := cdr.Unmarshal(payload, &m); err != nil {
			return map[string]any{"event": "error", "what": "decode", "detail": err.Error()}
		}
		e["data"] = m.Data
		return e
	}
	var m sensor_msgs.Image
	if err := cdr.Unmarshal(payload, &m); err != nil {
		return map[string]any{"event": "error", "what": "decode", "detail": err.Error()}
	}
	wrong := 0
	for i, b := range m.Data {
		if b != patternByte(int(m.Header.Stamp.Sec), i) {
			wrong++
		}
	}
	e["sec"], e["nanosec"], e["frame_id"] = m.Header.Stamp.Sec, m.Header.Stamp.Nanosec, m.Header.FrameID
	e["height"], e["width"], e["step"], e["encoding"] = m.Height, m.Width, m.Step, m.Encoding
	e["is_bigendian"], e["size"], e["wrong"] = m.IsBigendian, len(m.Data), wrong
	return e
}
