// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"strings"
	"sync"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ownPeer is our stack as a peer program: it handles the commands of testdata/common/main.c, for strings, images and
// blobs, and reports the same events. So our stack can run on another host than the test, as the other stacks do.
type ownPeer struct {
	p    *rtps.Participant
	mu   sync.Mutex // one event at a time
	ends map[string]*ownEnd
}

// ownEnd is a reader or a writer. Its counters are guarded by ownPeer.mu.
type ownEnd struct {
	id, kind string
	writer   *rtps.Writer
	reader   *rtps.Reader
	written  int
	received int
	matched  int
}

func playPeer(p *rtps.Participant) error {
	own := &ownPeer{p: p, ends: map[string]*ownEnd{}}
	own.emit(doneEvent{Event: "done", Command: "open"})
	return commands(func(words []string) {
		if err := own.execute(words); err != nil {
			own.emit(map[string]string{"event": "error", "what": words[0], "detail": err.Error()})
			return
		}
		own.emit(doneEvent{Event: "done", Command: words[0], ID: words[1]})
	})
}

func (o *ownPeer) emit(e any) { o.change(func() any { return e }) }

// change reports the event of a change.
func (o *ownPeer) change(event func() any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = emitEvent(event())
}

func (o *ownPeer) execute(words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("malformed command %q", words)
	}
	if words[0] == "reader" || words[0] == "writer" {
		return o.create(words)
	}
	end := o.ends[words[1]]
	if end == nil {
		return fmt.Errorf("no such endpoint %q", words)
	}
	switch words[0] {
	case "write":
		return o.write(end, words[2:])
	case "stats":
		refused := o.p.Stats().Dropped[rtps.DropOrigin]
		o.change(func() any {
			return map[string]any{"event": "stats", "id": end.id, "received": end.received, "written": end.written, "current": end.matched,
				"refused": refused}
		})
		return nil
	case "close":
		delete(o.ends, end.id)
		if end.writer != nil {
			return end.writer.Close()
		}
		return end.reader.Close()
	}
	return fmt.Errorf("unknown command %q", words)
}

func (o *ownPeer) create(words []string) error {
	var id, kind, topic, reliability, durability string
	var depth int32
	if _, err := fmt.Sscan(strings.Join(words[1:], " "), &id, &kind, &topic, &reliability, &durability, &depth); err != nil {
		return err
	}
	typ, ok := map[string]string{"string": typeString, "image": typeImage, "blob": typeBlob}[kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", kind)
	}
	q := qos{reliable: reliability == "reliable", transientLocal: durability == "transient_local", depth: depth}
	end := &ownEnd{id: id, kind: kind}
	o.ends[id] = end
	onMatch := func(n int, ev rtps.MatchEvent) {
		if ev.Kind == rtps.Incompatible {
			return
		}
		o.change(func() any {
			end.matched = n
			return map[string]any{"event": "matched", "id": id, "current": n}
		})
	}
	var err error
	if words[0] == "writer" {
		end.writer, err = o.p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typ, QoS: q.on(wire.DefaultWriterQoS()), OnMatch: onMatch})
		return err
	}
	end.reader, err = o.p.NewReader(rtps.ReaderConfig{
		Topic: topic, Type: typ, QoS: q.on(wire.DefaultReaderQoS()), OnMatch: onMatch,
		OnSample: func(s *rtps.Sample) {
			o.change(func() any {
				end.received++
				return sampleEvent(kind, id, end.received, s.Payload)
			})
		},
	})
	return err
}

func (o *ownPeer) write(w *ownEnd, words []string) error {
	var count, size int
	if _, err := fmt.Sscan(strings.Join(words, " ")+" 0", &count, &size); err != nil || w.writer == nil {
		return fmt.Errorf("no writer %s, or no count in %q", w.id, words)
	}
	for range count {
		w.written++
		payload := numberedString(w.written)
		switch w.kind {
		case "image":
			payload = numberedImage(w.written)
		case "blob":
			payload = numberedBlob(w.written, size)
		}
		if err := w.writer.Write(payload); err != nil {
			return err
		}
	}
	return nil
}

// sampleEvent returns the event of report_string, report_image and report_blob.
func sampleEvent(kind, id string, n int, payload []byte) map[string]any {
	if kind == "blob" {
		number, size, wrong, err := blobContent(payload)
		if err != nil {
			return map[string]any{"event": "error", "what": "decode", "detail": err.Error()}
		}
		return map[string]any{"event": "sample", "id": id, "n": n, "number": number, "size": size, "wrong": wrong}
	}
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
