// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/bag/play"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// viewer is Foxglove, connected to bag play on a network within the process.
type viewer struct {
	*testing.T
	conn     *websocket.Conn
	topics   map[uint32]string // by the number of the subscription
	messages map[string]string // the first of each topic
	stop     func()
}

// optionsOf reads flags as the command does.
func optionsOf(t *testing.T, flags ...string) (*playOptions, play.Config) {
	t.Helper()
	o := &playOptions{}
	f := pflag.NewFlagSet("play", pflag.ContinueOnError)
	o.chooses(f)
	o.times(f)
	o.site.Flags(f, "")
	if err := f.Parse(append(flags, "--disable-keyboard-controls")); err != nil {
		t.Fatal(err)
	}
	cfg, err := o.config()
	if err != nil {
		t.Fatal(err)
	}
	return o, cfg
}

// playForViewers begins to play recordings with a pause, and connects.
func playForViewers(t *testing.T, names ...string) *viewer {
	t.Helper()
	b, err := openBags(recordings(names...))
	if err != nil {
		t.Fatal(err)
	}
	o, cfg := optionsOf(t, "--web=localhost:0", "--start-paused")
	cfg.Bag = b
	transport := ros2test.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "player", Transport: transport, Standard: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, text := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := o.playOn(ctx, &frame.Program{Streams: frame.Streams{Out: text, Err: io.Discard}}, cfg, node, transport)
		done <- errors.Join(err, text.Close())
	}()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err, <-done)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(string(line[:n])), "http://")
	conn, _, err := websocket.Dial(ctx, "ws://"+address, &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}}) //nolint:bodyclose // says websocket.Dial
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{T: t, conn: conn, topics: map[uint32]string{}, messages: map[string]string{}}
	v.stop = func() {
		_ = conn.CloseNow()
		cancel()
		if err := errors.Join(<-done, node.Close(), transport.Close(), b.Close()); err != nil {
			t.Error(err)
		}
	}
	return v
}

// read reads the next message.
func (v *viewer) read() (text map[string]any, binary []byte) {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.Context(), 2*time.Minute)
	defer cancel()
	kind, data, err := v.conn.Read(ctx)
	if err != nil {
		v.Fatal(err)
	}
	if kind == websocket.MessageBinary {
		return nil, data
	}
	if err := json.Unmarshal(data, &text); err != nil {
		v.Fatal(err)
	}
	return text, nil
}

// channels reads until each of the topics is advertised.
func (v *viewer) channels(topics ...string) map[string]map[string]any {
	v.Helper()
	found, missing := map[string]map[string]any{}, map[string]bool{}
	for _, topic := range topics {
		missing[topic] = true
	}
	for len(missing) > 0 {
		text, _ := v.read()
		if text["op"] != "advertise" {
			continue
		}
		list, _ := text["channels"].([]any)
		for _, one := range list {
			c, _ := one.(map[string]any)
			if topic, _ := c["topic"].(string); missing[topic] {
				found[topic] = c
				delete(missing, topic)
			}
		}
	}
	return found
}

// subscribe subscribes to channels.
func (v *viewer) subscribe(channels map[string]map[string]any) {
	v.Helper()
	var list []any
	for topic, c := range channels {
		id := uint32(len(v.topics) + 1)
		v.topics[id] = topic
		list = append(list, map[string]any{"id": id, "channelId": c["id"]})
	}
	text, err := json.Marshal(map[string]any{"op": "subscribe", "subscriptions": list})
	if err == nil {
		err = v.conn.Write(v.Context(), websocket.MessageText, text)
	}
	if err != nil {
		v.Fatal(err)
	}
}

// resume sends Foxglove's playback control: play, twenty times as fast as recorded.
func (v *viewer) resume() {
	v.Helper()
	m := binary.LittleEndian.AppendUint32([]byte{3, 0}, math.Float32bits(20))
	m = append(m, make([]byte, 1+8+4)...) // no seek, no id
	if err := v.conn.Write(v.Context(), websocket.MessageBinary, m); err != nil {
		v.Fatal(err)
	}
}

// firstMessages reads until so many topics have had a message.
func (v *viewer) firstMessages(topics int) map[string]string {
	v.Helper()
	for len(v.messages) < topics {
		_, data := v.read()
		if len(data) < 13 || data[0] != 1 {
			continue
		}
		if topic := v.topics[binary.LittleEndian.Uint32(data[1:])]; v.messages[topic] == "" {
			v.messages[topic] = string(data[13:])
		}
	}
	return v.messages
}
