// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
)

// fieldsOf are the fields of each operation of the clients, by their paths, with the kind of each.
func fieldsOf() map[string]map[string]string {
	const text, number, id, list, truth = "text", "number", "id", "list", "truth"
	return map[string]map[string]string{
		"subscribe": {"subscriptions": list, "subscriptions.id": id, "subscriptions.channelId": id, "subscriptions.period": number,
			"subscriptions.acknowledge": truth},
		"unsubscribe":                 {"subscriptionIds": list, "subscriptionIds.": id},
		"advertise":                   {"channels": list, "channels.id": id, "channels.topic": text, "channels.encoding": text, "channels.schemaName": text},
		"unadvertise":                 {"channelIds": list, "channelIds.": id},
		"getParameters":               {"parameterNames": list, "parameterNames.": text, "id": text},
		"setParameters":               {"parameters": list, "parameters.name": text, "parameters.type": text, "id": text},
		"subscribeParameterUpdates":   {"parameterNames": list, "parameterNames.": text},
		"unsubscribeParameterUpdates": {"parameterNames": list, "parameterNames.": text},
		"subscribeConnectionGraph":    {},
		"unsubscribeConnectionGraph":  {},
		"fetchAsset":                  {"uri": text, "requestId": id},
		"takeControl":                 {"robot": text, "force": truth},
		"releaseControl":              {"robot": text},
		"drive":                       {"robot": text, "v": number, "w": number, "t": number},
		"acknowledge":                 {"subscriptionId": id},
		"offer":                       {"id": text, "sdp": text},
		"describe":                    {"id": id, "type": text},
	}
}

// wrongFor are values that a field of a kind must not have.
func wrongFor(kind string) []string {
	return map[string][]string{
		"text": {`7`, `true`, `[]`, `{}`}, "number": {`"1"`, `true`, `[]`, `{}`, `1e400`}, "truth": {`"true"`, `1`, `[]`, `{}`},
		"id": {`"1"`, `-1`, `1.5`, `4294967296`, `1e99`, `true`, `[]`, `{}`}, "list": {`"a"`, `7`, `{}`, `true`},
	}[kind]
}

// TestFieldsOfAWrongKind: each field of each operation, with values of all other kinds, is refused by its name with a
// status of level error, and the next message is processed. A text of Go's own types is not in it.
func TestFieldsOfAWrongKind(t *testing.T) {
	inScene(t, func(s *scene) {
		for op := range s.client.operations() {
			if fieldsOf()[op] == nil {
				s.Errorf("operation %s has no row here", op)
			}
		}
		for op, fields := range fieldsOf() {
			for path, kind := range fields {
				for _, value := range wrongFor(kind) {
					outer, inner, nested := strings.Cut(path, ".")
					switch {
					case nested && inner == "":
						value = "[" + value + "]"
					case nested:
						value = fmt.Sprintf(`[{%q:%s}]`, inner, value)
					}
					s.say(`{"op":%q,%q:%s}`, op, outer, value)
					m := s.hear("status")
					text, _ := m["message"].(string)
					if m["level"] != float64(statusError) || !strings.Contains(text, outer) || strings.Contains(text, "Go ") {
						s.Errorf("%s %s = %s: %v", op, path, value, m)
					}
				}
			}
		}
		s.quiet("each was answered once")
	})
}

// TestFieldsThatAreMissing: an operation that would do nothing says which field it lacks.
func TestFieldsThatAreMissing(t *testing.T) {
	inScene(t, func(s *scene) {
		for op, field := range map[string]string{
			"subscribe": "subscriptions", "unsubscribe": "subscriptionIds", "advertise": "channels", "unadvertise": "channelIds",
			"setParameters": "parameters", "takeControl": "robot", "releaseControl": "robot", "drive": "robot", "acknowledge": "subscriptionId",
		} {
			for _, say := range []string{`{"op":%q}`, `{"op":%q,"` + field + `":null}`} {
				s.say(say, op)
				s.refused(statusError, "the field "+field+" is missing")
			}
		}
	})
}

// TestUnknownIDs: what was never advertised or subscribed to is an error by its number; a call of an unknown service is
// answered as the protocol has it.
func TestUnknownIDs(t *testing.T) {
	inScene(t, func(s *scene) {
		for say, want := range map[string]string{
			`{"op":"subscribe","subscriptions":[{"id":1,"channelId":4294967295}]}`: "channel 4294967295 is not advertised",
			`{"op":"unsubscribe","subscriptionIds":[77]}`:                          "no subscription 77",
			`{"op":"unadvertise","channelIds":[78]}`:                               "channel 78 is not advertised",
			`{"op":"unsubscribeAll"}`:                                              `op "unsubscribeAll"`,
			`{"op":"Subscribe","subscriptions":[]}`:                                `op "Subscribe"`,
			`{"op":"releaseControl","robot":"a b"}`:                                "robot",
		} {
			s.say("%s", say)
			s.refused(statusError, want)
		}
		s.publish(79, "x")
		s.refused(statusError, "channel 79 is not advertised")
		s.send(request(80, 5, "cdr", ""))
		s.failed(80, 5, "service 80 is not advertised")
		s.quiet("each was answered once")
	}, plain)
}

// TestPageIsWarnedOfWithdrawnChannels: the page may subscribe to a channel or end a subscription while the server
// withdraws it, which is no error for a person.
func TestPageIsWarnedOfWithdrawnChannels(t *testing.T) {
	inScene(t, func(s *scene) {
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":999}]}`)
		s.refused(statusWarning, "channel 999 is not advertised")
		s.say(`{"op":"unsubscribe","subscriptionIds":[1]}`)
		s.refused(statusWarning, "no subscription 1")
	})
}

// TestDescribe: the page gets the definition of a type that no topic has, other clients do not.
func TestDescribe(t *testing.T) {
	inScene(t, func(s *scene) {
		s.say(`{"op":"describe","id":7,"type":"geometry_msgs/msg/Twist"}`)
		m := s.hear("description")
		if schema, _ := m["schema"].(string); m["id"] != 7.0 || !strings.Contains(schema, "MSG: geometry_msgs/Vector3") {
			t.Error(m)
		}
		s.say(`{"op":"describe","id":8,"type":"no_msgs/msg/Such"}`)
		if m := s.hear("description"); m["id"] != 8.0 || !strings.Contains(m["error"].(string), "unknown type") {
			t.Error(m)
		}
	})
	inScene(t, func(s *scene) {
		s.say(`{"op":"describe","id":7,"type":"geometry_msgs/msg/Twist"}`)
		s.refused(statusError, `op "describe"`)
	}, plain)
}

// TestBinaryMessagesThatAreTooShort: each opcode, cut at each byte of its head, and unknown ones.
func TestBinaryMessagesThatAreTooShort(t *testing.T) {
	inScene(t, func(s *scene) {
		s.send(nil)
		s.refused(statusError, "empty")
		for opcode, head := range map[byte]int{opClientMessage: 4, opServiceRequest: 12, opPlayback: 18} {
			for n := range head {
				s.send(append([]byte{opcode}, make([]byte, n)...))
				s.refused(statusError, fmt.Sprintf("of %d bytes", n+1))
			}
		}
		for _, opcode := range []byte{0, 4, 5, 0x7f, 0xff} {
			s.send([]byte{opcode, 1, 2, 3})
			s.refused(statusError, fmt.Sprintf("opcode %d", opcode))
		}
		s.send(append([]byte{opServiceRequest}, 1, 0, 0, 0, 1, 0, 0, 0, 200, 0, 0, 0))
		s.refused(statusError, "200 bytes")
		s.quiet("each was answered once")
	})
}

// TestMessagesAboveTheLimitAreAnswered: the message is skipped, the client gets an error with both numbers, and the
// connection carries the next ones.
func TestMessagesAboveTheLimitAreAnswered(t *testing.T) {
	v := serve(t, func(*Config) {})
	conn := v.dial(Protocol)
	for _, kind := range []websocket.MessageType{websocket.MessageBinary, websocket.MessageText} {
		if err := conn.Write(t.Context(), kind, make([]byte, socket.MaxMessage+1)); err != nil {
			t.Fatal(err)
		}
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"op":"fly"}`)); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"1048577 bytes, at most 1048576", `op \"fly\"`} {
			for {
				_, data, err := conn.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(data), `"op":"status"`) {
					if !strings.Contains(string(data), want) || !strings.Contains(string(data), `"level":2`) {
						t.Errorf("%s, want %s", data, want)
					}
					break
				}
			}
		}
	}
}
