// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// request returns the wire format of a service call.
func request(service, call uint32, encoding, payload string) []byte {
	data := binary.LittleEndian.AppendUint32([]byte{opServiceRequest}, service)
	data = binary.LittleEndian.AppendUint32(data, call)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(encoding)))
	return append(append(data, encoding...), payload...)
}

// withSwitch offers /switch, which waits for the end of its context if the request is false, and returns its id.
func (s *scene) withSwitch() uint32 {
	s.Helper()
	_, err := ros2.NewService(s.robot, std_srvs.SetBool{}, "switch",
		func(ctx context.Context, q *std_srvs.SetBoolRequest) (*std_srvs.SetBoolResponse, error) {
			if !q.Data {
				<-ctx.Done()
			}
			return &std_srvs.SetBoolResponse{Success: q.Data, Message: "ok"}, nil
		})
	s.must(err)
	s.met()
	return s.service("/switch")
}

// failed expects a serviceCallFailure that contains a text.
func (s *scene) failed(service, call uint32, text string) {
	s.Helper()
	m := s.hear("serviceCallFailure")
	if message, _ := m["message"].(string); m["serviceId"] != float64(service) || m["callId"] != float64(call) ||
		!strings.Contains(message, text) {
		s.Errorf("%v, want call %d of %d with %q", m, call, service, text)
	}
}

func TestCallService(t *testing.T) {
	inScene(t, func(s *scene) {
		id := s.withSwitch()
		for encoding, payloads := range map[string][2]string{
			"json": {`{"data":true}`, `{"success":true,"message":"ok"}`},
			"cdr":  {"\x00\x01\x00\x00\x01", "\x00\x01\x00\x00" + "\x01\x00\x00\x00" + "\x03\x00\x00\x00ok\x00"},
		} {
			s.send(request(id, 0xfffffffe, encoding, payloads[0]))
			got, want := s.binary(), append(serviceHead(id, 0xfffffffe, encoding), payloads[1]...)
			if !bytes.HasPrefix(got, want) || len(got) > len(want)+3 {
				s.Errorf("%s: %q, want %q", encoding, got, want)
			}
		}
	})
}

// TestWrongCalls: the failure has the id of the call, so that the client's promise ends.
func TestWrongCalls(t *testing.T) {
	inScene(t, func(s *scene) {
		id := s.withSwitch()
		for i, c := range []struct {
			service           uint32
			encoding, payload string
			want              string
		}{
			{id + 1000, "json", "{}", "is not advertised"},
			{id, "protobuf", "", `encoding "protobuf"`},
			{id, "", "", `encoding ""`},
			{id, "json", `{"dat":true}`, "dat"},
			{id, "json", ``, ""},
			{id, "cdr", "\x00\x01\x00\x00", ""},
			{id, "cdr", "", ""},
		} {
			s.send(request(c.service, uint32(i), c.encoding, c.payload))
			s.failed(c.service, uint32(i), c.want)
		}
		s.client.mu.Lock()
		s.client.services[77] = s.client.services[id]
		gone := s.client.services[77]
		gone.Name = "/gone"
		s.client.services[77] = gone
		gone.Type = "no/srv/Such"
		s.client.services[78] = gone
		s.client.mu.Unlock()
		s.send(request(77, 1, "json", `{}`))
		s.failed(77, 1, "no such service")
		s.send(request(78, 2, "json", `{}`))
		s.failed(78, 2, "unknown type: no/srv/Such")
	})
}

// TestViewersMayCallReadOnlyServices: services that change nothing respond, the others do not.
func TestViewersMayCallReadOnlyServices(t *testing.T) {
	inScene(t, func(s *scene) {
		s.send(request(s.withSwitch(), 1, "json", `{"data":true}`))
		s.failed(s.service("/switch"), 1, ErrRights.Error())
		get := s.service("/robot/get_parameters")
		s.send(request(get, 2, "json", `{"names":["use_sim_time"]}`))
		if got := s.binary(); !bytes.Contains(got, []byte(`"bool_value":false`)) {
			s.Errorf("%q", got)
		}
		set := s.service("/robot/set_parameters")
		s.send(request(set, 3, "json", `{}`))
		s.failed(set, 3, ErrRights.Error())
	}, role(guard.View))
}

// TestUnansweredCallsTimeOut: the time-out ends them, and 32 of them block further ones, of every kind.
func TestUnansweredCallsTimeOut(t *testing.T) {
	inScene(t, func(s *scene) {
		id := s.withSwitch()
		begun := time.Now()
		for i := range maxCalls {
			s.send(request(id, uint32(i), "json", `{"data":false}`))
		}
		synctest.Wait()
		s.send(request(id, maxCalls, "json", `{"data":true}`))
		s.failed(id, maxCalls, "more than 32 calls at once")
		s.say(`{"op":"getParameters","parameterNames":[]}`)
		s.refused(statusError, "more than 32 calls at once")
		s.say(`{"op":"setParameters","parameters":[]}`)
		s.refused(statusError, "more than 32 calls at once")
		calls := map[any]bool{}
		for range maxCalls {
			for s.client.box.Stats().Bytes == 0 {
				time.Sleep(time.Second)
			}
			calls[s.hear("serviceCallFailure")["callId"]] = true
		}
		if took := time.Since(begun); len(calls) != maxCalls || took < callTime || took > callTime+time.Second {
			s.Errorf("%d calls ended after %v", len(calls), took)
		}
		s.say(`{"op":"getParameters","parameterNames":["/robot.use_sim_time"]}`)
		s.hear("parameterValues") // the limit has capacity again
	})
}

// TestCallsEndWithTheirClient: a disconnect cancels the client's calls.
func TestCallsEndWithTheirClient(t *testing.T) {
	inScene(t, func(s *scene) {
		id := s.withSwitch()
		ctx, cancel := context.WithCancel(s.Context())
		s.client.ctx = ctx
		s.send(request(id, 1, "cdr", "\x00\x01\x00\x00\x00"))
		synctest.Wait()
		begun := time.Now()
		cancel()
		s.client.end()
		if took := time.Since(begun); took != 0 {
			s.Errorf("the end waited %v for a call", took)
		}
	})
}

// TestRequestIsCopied: the connection reuses the buffer of a request for the next message.
func TestRequestIsCopied(t *testing.T) {
	inScene(t, func(s *scene) {
		data := request(s.withSwitch(), 1, "json", `{"data":true}`)
		s.send(data)
		clear(data[1:])
		s.binary()
	})
}

func TestHarmless(t *testing.T) {
	for _, harm := range []string{
		"", "rcl_interfaces/srv/SetParameters", "rcl_interfaces/srv/SetParametersAtomically", "rcl_interfaces/srv/SetLoggerLevels",
		"std_srvs/srv/Trigger", "GetParameters", "my_interfaces/srv/GetParameters",
	} {
		if Harmless(harm) {
			t.Errorf("%q changes something", harm)
		}
	}
}

func TestFetchAsset(t *testing.T) {
	assets := func(_ *scene, c *Config) {
		c.Asset = func(uri string) ([]byte, error) {
			switch uri {
			case "package://a/mesh":
				return []byte("solid"), nil
			case "package://a/huge":
				return make([]byte, maxAsset+1), nil
			case "package://a/most":
				return make([]byte, maxAsset), nil
			case "package://a/empty":
				return nil, nil
			}
			return nil, errors.New("a path of this computer")
		}
	}
	inScene(t, func(s *scene) {
		for uri, want := range map[string]string{
			"package://a/mesh":  "\x04\x07\x00\x00\x00\x00\x00\x00\x00\x00solid",
			"package://a/empty": "\x04\x07\x00\x00\x00\x00\x00\x00\x00\x00",
			"file:///etc":       "\x04\x07\x00\x00\x00\x01\x29\x00\x00\x00" + `foxglove: no such asset: "file:///etc"`,
		} {
			s.say(`{"op":"fetchAsset","uri":%q,"requestId":7}`, uri)
			got := s.binary()
			if uri == "file:///etc" {
				want = strings.Replace(want, "\x29", string(rune(len(want)-10)), 1)
			}
			if string(got) != want {
				s.Errorf("%s: %q, want %q", uri, got, want)
			}
		}
		s.say(`{"op":"fetchAsset","uri":"package://a/most","requestId":1}`)
		if got := s.binary(); len(got) != 10+maxAsset {
			s.Error(len(got))
		}
		s.say(`{"op":"fetchAsset","uri":"package://a/huge","requestId":1}`)
		if got := string(s.binary()); got[5] != 1 || !strings.Contains(got, fmt.Sprintf("has %d bytes, more than %d", maxAsset+1, maxAsset)) {
			s.Errorf("%q", got)
		}
		s.say(`{"op":"fetchAsset","uri":%q,"requestId":1}`, strings.Repeat("x", 5000))
		if got := s.binary(); len(got) > 300 {
			s.Errorf("the answer repeats %d bytes of the request", len(got))
		}
	}, assets)
	inScene(t, func(s *scene) {
		s.say(`{"op":"fetchAsset","uri":"package://a/mesh","requestId":2}`)
		if got := string(s.binary()); got != "\x04\x02\x00\x00\x00\x01\x17\x00\x00\x00foxglove: no such asset" {
			s.Errorf("%q", got)
		}
	})
}

// TestAssetFitsTheQueue: an asset that would fill the queue is refused and disconnects no client.
func TestAssetFitsTheQueue(t *testing.T) {
	inScene(t, func(s *scene) {
		s.must(s.client.status(statusInfo, errors.New("something waits")))
		s.say(`{"op":"fetchAsset","uri":"x","requestId":1}`)
		s.refused(statusInfo, "something waits")
		if got := string(s.binary()); got[5] != 1 || !strings.Contains(got, "has 60000 bytes, more than 28672") {
			s.Errorf("%.100q", got)
		}
	}, func(s *scene, c *Config) {
		c.Queue = 32 << 10
		s.client.box = outbox.New(c.Queue)
		c.Asset = func(string) ([]byte, error) { return make([]byte, 60_000), nil }
	})
}

// TestAnswersOfCallsThatDoNotFit: the response of a call also disconnects a client that does not read; the client must
// not wait for a discarded response.
func TestAnswersOfCallsThatDoNotFit(t *testing.T) {
	playback := func(s *scene, c *Config) {
		c.Playback = &recording{}
		c.Live = func(context.Context, string) (string, error) { return "v=0", nil }
	}
	for name, say := range map[string]func(s *scene){
		"a service":     func(s *scene) { s.send(request(s.service("/robot/list_parameters"), 1, "json", "{}")) },
		"its failure":   func(s *scene) { s.send(request(s.service("/robot/list_parameters"), 1, "json", `{"x":1}`)) },
		"parameters":    func(s *scene) { s.say(`{"op":"getParameters","parameterNames":[]}`) },
		"no parameters": func(s *scene) { s.say(`{"op":"getParameters","parameterNames":["/none.a"]}`) },
		"a value":       func(s *scene) { s.say(`{"op":"setParameters","parameters":[{"name":"/none.a","value":1}],"id":"x"}`) },
		"a recording":   func(s *scene) { s.send(append([]byte{3, 0, 0, 0, 128, 63}, make([]byte, 13)...)) },
		"live video":    func(s *scene) { s.say(`{"op":"offer","id":"1","sdp":"v=0"}`) },
	} {
		inScene(t, func(s *scene) {
			s.met()
			s.client.box = outbox.New(1)
			s.must(s.client.box.Answer(outbox.Frame{Head: []byte("unread")}))
			say(s)
			s.client.wg.Wait()
			if err := s.client.box.Answer(outbox.Frame{}); !errors.Is(err, outbox.ErrClosed) {
				s.Errorf("%s: %v", name, err)
			}
		}, playback)
	}
}
