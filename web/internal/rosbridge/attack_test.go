// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// TestAnswerOfACallThatDoesNotFit: a client that does not read the response is disconnected instead of waiting forever.
func TestAnswerOfACallThatDoesNotFit(t *testing.T) {
	for _, service := range []string{"/rosapi/topics", "/none"} {
		inScene(t, guard.Drive, func(s *scene) {
			s.client.box = outbox.New(1)
			s.must(s.client.box.Answer(outbox.Frame{Head: []byte("unread")}))
			s.say(`{"op":"call_service","service":%q}`, service)
			s.client.group.Wait()
			if err := s.client.box.Answer(outbox.Frame{}); !errors.Is(err, outbox.ErrClosed) {
				s.Errorf("%s: %v", service, err)
			}
		})
	}
}

// TestReplacingASubscriptionAtTheLimit: a client with the maximum of subscriptions can still change one.
func TestReplacingASubscriptionAtTheLimit(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		for i := range maxTopics {
			s.say(`{"op":"subscribe","topic":"/t%d","type":"std_msgs/Empty","id":"a"}`, i)
		}
		s.say(`{"op":"subscribe","topic":"/t3","type":"std_msgs/Empty","id":"a","throttle_rate":100}`)
		if data, _ := s.frame(); data != nil {
			s.Errorf("%s", data)
		}
		s.say(`{"op":"subscribe","topic":"/t3","type":"std_msgs/Empty","id":"b"}`)
		s.refused("more than 200 subscriptions")
	})
}

// TestSubscriptionThatFailsLeavesNothing: after a failed replacement neither the old nor the new subscription exists.
func TestSubscriptionThatFailsLeavesNothing(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		s.say(`{"op":"subscribe","topic":"/t","type":"std_msgs/Empty"}`)
		s.must(s.client.hub.Close())
		s.say(`{"op":"subscribe","topic":"/t","type":"std_msgs/Empty"}`)
		s.refused("closed")
		if len(s.client.subscriptions) != 0 {
			s.Error(s.client.subscriptions)
		}
	})
}

// TestThrottle: throttle_rate is the time between two messages, at most an hour; queue_length bounds the queue.
func TestThrottle(t *testing.T) {
	for _, c := range []struct {
		throttle string
		queue    int
		want     string // seconds at which what comes
	}{
		{"0", 0, "[0:0 0:1 0:2]"}, {"-7", -7, "[0:0 0:1 0:2]"}, {"1000", 0, "[0:0 1:2]"}, {"1000", 2, "[0:0 1:1 2:2]"},
		{"1e300", 100000, "[0:0 3600:1 7200:2]"},
	} {
		inScene(t, guard.View, func(s *scene) {
			pub, err := ros2.NewPublisher[std_msgs.UInt8](s.robot, "n", ros2.DefaultQoS())
			s.must(err)
			s.say(`{"op":"subscribe","topic":"/n","throttle_rate":%s,"queue_length":%d}`, c.throttle, c.queue)
			begun := time.Now()
			var got []string
			hear := func() {
				data, _ := s.frame()
				for range 60 { // frame waits a minute
					if data == nil {
						data, _ = s.frame()
					}
				}
				if data != nil {
					m := map[string]map[string]any{}
					_ = json.Unmarshal(data, &m) // op and topic are no objects
					got = append(got, fmt.Sprintf("%.0f:%v", time.Since(begun).Seconds(), m["msg"]["data"]))
				}
			}
			for i := range 3 {
				s.must(pub.Publish(&std_msgs.UInt8{Data: uint8(i)}))
				if c.throttle == "0" || c.throttle == "-7" || i == 0 {
					hear()
				}
			}
			for s.client.box.Stats().Bytes > 0 {
				hear()
			}
			if fmt.Sprint(got) != c.want {
				s.Errorf("throttle %s, queue %d: %v, want %s", c.throttle, c.queue, got, c.want)
			}
		})
	}
}

// TestCompressionsSayTheSame: every compression carries the same message.
func TestCompressionsSayTheSame(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		pub, err := ros2.NewPublisher[std_msgs.String](s.robot, "s", ros2.DefaultQoS())
		s.must(err)
		const plain = `{"op":"publish","topic":"/s","msg":{"data":"hi"}}`
		for compression, read := range map[string]func([]byte) string{
			"": func(b []byte) string { return string(b) }, "none": func(b []byte) string { return string(b) },
			"png": func(b []byte) string { return unpack(s, b) },
			"cbor": func(b []byte) string {
				var m map[string]any
				s.must(cbor.Unmarshal(b, &m))
				return fmt.Sprintf(`{"op":%q,"topic":%q,"msg":{"data":%q}}`, m["op"], m["topic"], m["msg"].(map[any]any)["data"])
			},
			"cbor-raw": func(b []byte) string {
				var m struct {
					Op    string `cbor:"op"`
					Topic string `cbor:"topic"`
					Msg   struct {
						Secs, Nsecs uint64
						Bytes       []byte
					} `cbor:"msg"`
				}
				s.must(cbor.Unmarshal(b, &m))
				if time.Unix(int64(m.Msg.Secs), int64(m.Msg.Nsecs)).UnixNano() != time.Now().UnixNano() {
					s.Errorf("%+v", m)
				}
				n := binary.LittleEndian.Uint32(m.Msg.Bytes[4:]) // behind the encapsulation header
				return fmt.Sprintf(`{"op":%q,"topic":%q,"msg":{"data":%q}}`, m.Op, m.Topic, m.Msg.Bytes[8:8+n-1])
			},
		} {
			s.say(`{"op":"subscribe","topic":"/s","compression":%q}`, compression)
			s.must(pub.Publish(&std_msgs.String{Data: "hi"}))
			data, _ := s.frame()
			if got := read(data); got != plain {
				s.Errorf("%q: %s", compression, got)
			}
			s.say(`{"op":"unsubscribe","topic":"/s"}`)
		}
	})
}

// unpack decodes rosbridge's PNG: the red, green and blue values of its pixels are a message.
func unpack(t rapid.TB, data []byte) string {
	var m struct{ Op, Data string }
	if err := json.Unmarshal(data, &m); err != nil || m.Op != "png" {
		t.Fatalf("%s: %v", data, err)
	}
	file, err := base64.StdEncoding.DecodeString(m.Data)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			text = append(text, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	return strings.TrimRight(string(text), "\n")
}

// TestPicturesOfAnyMessage: PNGs carry messages of every length and octet, except line feeds at the end, the padding.
func TestPicturesOfAnyMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := append(rapid.SliceOf(rapid.Byte()).Draw(t, "message"), '}')
		if got := unpack(t, pngBody(message)); got != string(message) {
			t.Fatalf("%q", got)
		}
	})
}

// TestMessagesThatAreNoneAreNotSent: compressions that decode a message skip malformed ones.
func TestMessagesThatAreNoneAreNotSent(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		typ, err := s.client.hub.Known("std_msgs/msg/String")
		s.must(err)
		for _, compression := range []string{"", "png", "cbor"} {
			convert, _, err := encoder("/s", typ, compression)
			s.must(err)
			for _, bad := range []string{"", "\x00", "\x00\x01\x00\x00\x05\x00\x00\x00hi\x00"} {
				if got := convert([]byte(bad)); got != nil {
					s.Errorf("%q of %q: %q", compression, bad, got)
				}
			}
		}
	})
}

// TestSpeedsGoThroughTheArbiter: only one page at a time can publish cmd_vel; the robot stops when its commands end.
func TestSpeedsGoThroughTheArbiter(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		heard := make(chan float64, 20)
		_, err := ros2.NewSubscription(s.robot, "/cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.Twist, _ ros2.MessageInfo) { heard <- m.Linear.X })
		s.must(err)
		s.say(`{"op":"publish","topic":"/cmd_vel","type":"geometry_msgs/Twist","msg":{"linear":{"x":0.1}}}`)
		if held := s.client.arbiter.State(); len(held) != 1 || held[0].Robot != "/" || held[0].Driver != s.client.driver {
			s.Errorf("%+v", held)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		var got []float64
		for len(heard) > 0 {
			got = append(got, <-heard)
		}
		if fmt.Sprint(got) != "[0.1 0 0 0]" {
			s.Error(got)
		}
		s.say(`{"op":"unadvertise","topic":"cmd_vel"}`)
		if held := s.client.arbiter.State(); len(held) != 0 {
			s.Errorf("%+v", held)
		}
		s.must(s.client.arbiter.Take("/", &teleop.Driver{Name: "ben"}, false))
		s.say(`{"op":"publish","topic":"/cmd_vel","type":"geometry_msgs/Twist","msg":{"linear":{"x":0.1}}}`)
		s.refused("ben drives /")
	})
}

// TestWrongMessagesKeepTheirID: errors have the id of the request, so that the page knows which one failed.
func TestWrongMessagesKeepTheirID(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		for say, want := range map[string]string{
			`{"op":"publish","id":"p","topic":"/x","type":"std_msgs/UInt8","msg":{"data":256}}`:                                 "/x: rosjson: bad message: data: 256 is no uint8",
			`{"op":"subscribe","id":"p","topic":"/x","type":"std_msgs/UInt8","compression":"` + strings.Repeat("z", 100) + `"}`: "there are none, png, cbor and cbor-raw",
			`{"op":"service_response","id":"p","service":"/x"}`:                                                                 `service "/x" is not offered`,
			`{"op":"advertise","id":"p","topic":"/a//b","type":"std_msgs/UInt8"}`:                                               "topic",
			`{"op":"advertise_service","id":"p","service":"/a//b","type":"std_srvs/Empty"}`:                                     "service",
			`{"op":"advertise_service","id":"p","service":"/a","type":"std_msgs/String"}`:                                       "std_msgs/srv/String_Request",
		} {
			s.say("%s", say)
			m := s.hear()
			if m["id"] != "p" || m["level"] != "error" || !strings.Contains(m["msg"].(string), want) || len(m["msg"].(string)) > 200 {
				s.Errorf("%s: %v, want %q", say, m, want)
			}
		}
	})
}

// TestOfferedServiceIsWithdrawnWithItsClient: also with pending requests; it can be offered again at once.
func TestOfferedServiceIsWithdrawnWithItsClient(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		caller, err := ros2.NewClient(s.robot, std_srvs.SetBool{}, "/s")
		s.must(err)
		offer := func() {
			s.say(`{"op":"advertise_service","service":"/s","type":"std_srvs/SetBool"}`)
			s.must(caller.WaitAvailable(s.Context()))
		}
		ctx, cancel := context.WithCancel(s.Context())
		ask := func(n int) {
			for range n {
				go func() { _, _ = caller.Call(ctx, &std_srvs.SetBoolRequest{}) }()
			}
			synctest.Wait()
		}
		offer()
		ask(maxCalls + 5) // more than wait at once are not asked
		first := s.client.offers["/s"]
		if n := first.requests(); n != maxCalls {
			s.Errorf("%d requests wait", n)
		}
		var id string
		for range maxCalls {
			id, _ = s.hear()["id"].(string)
		}
		s.say(`{"op":"service_response","service":"/s","id":%q,"values":{"wrong":1},"result":true}`, id)
		s.refused("wrong")
		offer()
		if n := first.requests(); n != 0 {
			s.Errorf("%d requests of the first wait", n)
		}
		ask(1)
		second := s.client.offers["/s"]
		if n := second.requests(); n != 1 {
			s.Errorf("%d requests wait", n)
		}
		s.client.end()
		cancel()
		if n := second.requests(); n != 0 || caller.Available() {
			s.Errorf("%d requests wait, the service is there: %v", n, caller.Available())
		}
	})
}

// TestRequestToAClientThatDoesNotRead: such a request is dropped at once.
func TestRequestToAClientThatDoesNotRead(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		s.client.box = outbox.New(1)
		s.must(s.client.box.Answer(outbox.Frame{Head: []byte("unread")}))
		s.say(`{"op":"advertise_service","service":"/s","type":"std_srvs/SetBool"}`)
		o := s.client.offers["/s"]
		o.ask(ros2.Request{Payload: []byte{0, 1, 0, 0, 1}})
		o.ask(ros2.Request{Payload: []byte{0}}) // no request of that type
		if n := o.requests(); n != 0 {
			s.Errorf("%d requests wait", n)
		}
	})
}

// TestArguments covers arguments by name, in order, and none.
func TestArguments(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		typ, err := s.client.hub.Known("std_msgs/msg/Header")
		s.must(err)
		for args, want := range map[string]string{
			``: "", `null`: "", `{}`: "", `[]`: "", `[{"sec":1}]`: "", `[{"sec":1},"a"]`: "", `{"frame_id":"a"}`: "",
			`[1]`: "stamp", `[{},1]`: "frame_id", `[{},"a",3]`: "3 arguments for 2 fields", `"a"`: "object", `{`: "EOF", `{"x":1}`: `"x"`,
		} {
			m, err := arguments(typ, []byte(args))
			if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
				s.Errorf("%s: %v, %v; want %q", args, m, err, want)
			}
		}
	})
}

// TestServe: a client connects by a WebSocket; its disconnect is no error.
func TestServe(t *testing.T) {
	network := ros2test.NewNetwork()
	h, err := hub.New(hub.Config{Transport: network.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition})
	if err != nil {
		t.Fatal(err)
	}
	who := teleop.New(teleop.Config{Open: teleop.OnHub(h)})
	server, ended := New(h, who, 0), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := socket.Accept(w, r, websocket.AcceptOptions{})
		if err != nil {
			t.Error(err)
			return
		}
		ended <- server.Serve(ctx, conn, guard.Drive, "a test")
	}))
	defer web.Close()
	for _, end := range []func(*websocket.Conn){
		func(c *websocket.Conn) { _ = c.Close(websocket.StatusNormalClosure, "") },
		func(c *websocket.Conn) { _ = c.CloseNow() },
		func(*websocket.Conn) { cancel() },
	} {
		conn, _, err := websocket.Dial(t.Context(), web.URL, nil) //nolint:bodyclose // it need not be closed
		if err != nil {
			t.Fatal(err)
		}
		for _, say := range []string{`{"op":"advertise","topic":"/x","type":"std_msgs/String"}`, `{"op":"call_service","service":"/rosapi/topics"}`} {
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(say)); err != nil {
				t.Fatal(err)
			}
		}
		if _, data, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(data), `"/x"`) {
			t.Errorf("%s, %v", data, err)
		}
		end(conn)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := h.Stats().Publications; got != 0 {
			t.Errorf("%d publications after the end", got)
		}
		_ = conn.CloseNow()
	}
	who.Close()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
