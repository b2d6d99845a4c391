// SPDX-License-Identifier: Apache-2.0

//go:build system

package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

// dribble is a connection that is read at 1 kB/s, as over a weak radio link.
type dribble struct {
	net.Conn
	near *atomic.Bool // the radio is near again
}

func (d dribble) Read(p []byte) (int, error) {
	if d.near.Load() {
		return d.Conn.Read(p)
	}
	<-time.After(100 * time.Millisecond)
	return d.Conn.Read(p[:min(len(p), 100)])
}

// TestViewerOfOneKilobyteASecond: a slow viewer delays neither the robot nor another viewer; its queue remains small
// and its messages recent.
func TestViewerOfOneKilobyteASecond(t *testing.T) {
	r := newRig(t, false)
	pub, err := ros2.NewPublisher[std_msgs.String](r.robot, "chatter", ros2.DefaultQoS())
	r.must(err)
	var near atomic.Bool
	dialer := func(network, address string) (net.Conn, error) {
		c, err := net.Dial(network, address)
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(16 << 10)
		}
		return dribble{c, &near}, err
	}
	slowly := &http.Client{Transport: &http.Transport{Dial: dialer}} //nolint:staticcheck // needs no context
	defer slowly.CloseIdleConnections()
	conn, _, err := websocket.Dial(t.Context(), "ws://"+r.base+"/ws", &websocket.DialOptions{HTTPClient: slowly, Subprotocols: []string{foxglove.PageProtocol}}) //nolint:bodyclose // says websocket.Dial
	r.must(err)
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(4 << 20)
	slow, fast := &viewer{rig: r, conn: conn}, r.join("")
	for _, v := range []*viewer{fast, slow} {
		v.say(map[string]any{"op": "subscribe", "subscriptions": []any{map[string]any{"id": 7, "channelId": v.channel("/chatter")}}})
		v.settled()
	}
	const messages = 1000
	text := strings.Repeat("x", 1000)
	begun := time.Now()
	for i := range messages { // in sequence, at the speed of the fast viewer
		r.must(pub.Publish(&std_msgs.String{Data: fmt.Sprintf("%05d%s", i, text)}))
		if data := fast.binary(); !strings.Contains(string(data), fmt.Sprintf("%05d", i)) {
			t.Fatalf("the fast viewer got %q instead of %d", data[:30], i)
		}
	}
	t.Logf("%d messages to the fast viewer in %v", messages, time.Since(begun).Round(time.Millisecond))
	near.Store(true)
	read := 0
	for read < messages {
		data := slow.binary()
		read++
		if strings.Contains(string(data), fmt.Sprintf("%05d", messages-1)) {
			break
		}
	}
	if read > messages/2 {
		t.Errorf("%d of %d messages waited for the slow viewer", read, messages)
	}
}

// TestAttacksDoNotAffectRobot: during all attacks at once a robot's commands and messages continue without loss, and
// nothing of the attackers gets through.
func TestAttacksDoNotAffectRobot(t *testing.T) {
	r := newRig(t, true)
	pub, err := ros2.NewPublisher[std_msgs.String](r.robot, "loop", ros2.DefaultQoS())
	r.must(err)
	speeds := make(chan float64, 100)
	_, err = ros2.Listen(r.robot, "cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.Twist) { speeds <- m.Linear.X })
	r.must(err)
	v := r.join(r.server.tokens.Drive)
	v.say(map[string]any{"op": "takeControl", "robot": "/"})
	v.say(map[string]any{"op": "subscribe", "subscriptions": []any{map[string]any{"id": 7, "channelId": v.channel("/loop")}}})
	v.settled()
	stop := make(chan struct{})
	ended := make(chan struct{})
	holes := []string{
		"GET /ws HTTP/1.1\r\nHost: %s\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET /metrics HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer wrong\r\n\r\n",
		"GET /../../etc/passwd HTTP/1.1\r\nHost: %s\r\n\r\n", "GET / HTTP/1.1\r\nX-Slow: ", strings.Repeat("A", 1<<16), "\x16\x03\x01\xff\xff",
	}
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			c, err := net.Dial("tcp", r.base)
			if err != nil {
				continue
			}
			hole := holes[i%len(holes)]
			if strings.Contains(hole, "%s") {
				hole = fmt.Sprintf(hole, r.base)
			}
			_, _ = io.WriteString(c, hole) // it may be closed already
			if i%3 == 0 {                  // some stay
				defer func() { _ = c.Close() }()
				continue
			}
			_ = c.Close()
		}
	}()
	for i := range 200 {
		r.must(pub.Publish(&std_msgs.String{Data: fmt.Sprint("tick ", i)}))
		if data := v.binary(); !strings.Contains(string(data), fmt.Sprint("tick ", i)) {
			t.Fatalf("%q instead of tick %d", data, i)
		}
		v.say(map[string]any{"op": "drive", "robot": "/", "v": 0.01 * float64(1+i%5), "w": 0})
		for want := 0.01 * float64(1+i%5); ; {
			got := <-speeds
			if got == want {
				break
			}
			if got != 0 { // a stop by the command time-out, where this machine was slow
				t.Fatalf("the robot received %v, want %v", got, want)
			}
		}
	}
	close(stop)
	<-ended
	if n := r.server.Stats().Refused; n == 0 {
		t.Error("no hole was tried")
	}
}
