// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// viewerEnv makes the test binary a viewer of the page at an address, host:port, until its standard input ends: it
// looks at every topic but pictures, and writes down the names of those of which something came.
const viewerEnv = "EPUCK_TEST_VIEWER"

func view(address string) error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	for ctx.Err() == nil {
		conn, err := dialPage(ctx, address)
		if err != nil {
			break
		}
		err = viewPage(ctx, conn)
		_ = conn.CloseNow()
		if err != nil {
			return err
		}
	}
	return nil //nolint:nilerr // its time is over
}

// viewPage looks until the page ends: a benchmark serves it twice, once to warm up.
func viewPage(ctx context.Context, conn *websocket.Conn) error {
	conn.SetReadLimit(8 << 20)
	topics := map[uint32]string{}
	for {
		kind, data, err := conn.Read(ctx)
		switch {
		case err != nil:
			return nil //nolint:nilerr // it ends as the page does
		case kind == websocket.MessageText:
			err = subscribeAll(ctx, conn, data, topics)
		case data[0] == 1:
			id := binary.LittleEndian.Uint32(data[1:])
			if name := topics[id]; name != "" {
				fmt.Println(name)
				topics[id] = ""
			}
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// dialPage waits for the page: it may come later.
func dialPage(ctx context.Context, address string) (*websocket.Conn, error) {
	for {
		conn, _, err := websocket.Dial(ctx, "ws://"+address+"/ws", &websocket.DialOptions{Subprotocols: []string{"epuck.v1"}}) //nolint:bodyclose // says websocket.Dial
		if err == nil || ctx.Err() != nil {
			return conn, err
		}
		<-time.After(50 * time.Millisecond)
	}
}

// subscribeAll subscribes to what is advertised.
func subscribeAll(ctx context.Context, conn *websocket.Conn, data []byte, topics map[uint32]string) error {
	var m struct {
		Op       string
		Channels []struct {
			ID    uint32
			Topic string
		}
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Op != "advertise" {
		return err
	}
	var wanted []map[string]uint32
	for _, c := range m.Channels {
		if strings.Contains(c.Topic, "image") {
			continue
		}
		id := uint32(len(topics) + 1)
		topics[id] = c.Topic
		wanted = append(wanted, map[string]uint32{"id": id, "channelId": c.ID})
	}
	request, err := json.Marshal(map[string]any{"op": "subscribe", "subscriptions": wanted})
	if err != nil {
		return err
	}
	return conn.Write(ctx, websocket.MessageText, request)
}
