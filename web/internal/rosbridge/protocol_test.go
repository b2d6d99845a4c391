// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// TestNumbersOfPython: Python's json module writes NaN and infinities, which JSON does not have.
func TestNumbersOfPython(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		heard := make(chan []float32, 10)
		_, err := ros2.NewSubscription(s.robot, "own", ros2.DefaultQoS(), func(m *std_msgs.Float32MultiArray, _ ros2.MessageInfo) { heard <- m.Data })
		s.must(err)
		s.say(`{"op":"advertise","topic":"/own","type":"std_msgs/Float32MultiArray"}`)
		for say, want := range map[string]string{
			`[1.5,NaN,Infinity]`: "[1.5 NaN +Inf]", `[-Infinity, NaN ,2]`: "[-Inf NaN 2]", `["NaN",null,"-Infinity"]`: "[NaN NaN -Inf]",
		} {
			s.say(`{"op":"publish","topic":"/own","msg":{"data":%s}}`, say)
			if got := fmt.Sprint(<-heard); got != want {
				s.Errorf("%s is heard as %s", say, got)
			}
		}
		for _, bad := range []string{`{"data":[NaNa]}`, `{"data":[+Infinity]}`, `{"data":[Nan]}`} {
			s.say(`{"op":"publish","topic":"/own","msg":%s}`, bad)
			s.refused("invalid character")
		}
		s.say(`{"op":"publish","id":"n","topic":"/n","type":"std_msgs/UInt8","msg":{"data":NaN}}`)
		s.refused("wants a uint8")
	})
}

// TestTextsWithWordsOfPython: NaN in a text stays what it is.
func TestTextsWithWordsOfPython(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		heard := make(chan string, 10)
		_, err := ros2.NewSubscription(s.robot, "t", ros2.DefaultQoS(), func(m *std_msgs.String, _ ros2.MessageInfo) { heard <- m.Data })
		s.must(err)
		for _, text := range []string{`NaN`, `a "NaN" and -Infinity`, `\`, `NaN\"`} {
			quoted, _ := json.Marshal(text)
			s.say(`{"op":"publish","topic":"/t","msg":{"data":%s}}`, quoted)
			if got := <-heard; got != text {
				s.Errorf("%q is heard as %q", text, got)
			}
		}
	})
}

// TestNow: the text "now" is the time, as in rosbridge_suite; a time alone, and one in a header.
func TestNow(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		heard := make(chan builtin_interfaces.Time, 10)
		_, err := ros2.NewSubscription(s.robot, "h", ros2.DefaultQoS(), func(m *std_msgs.Header, _ ros2.MessageInfo) { heard <- m.Stamp })
		s.must(err)
		s.say(`{"op":"publish","topic":"/h","msg":{"stamp":"now"}}`)
		if got := <-heard; int64(got.Sec) != time.Now().Unix() {
			s.Error(got)
		}
		s.say(`{"op":"publish","topic":"/h","msg":{"stamp":"later"}}`)
		s.refused("stamp wants")
	})
}

// TestIdentifiers: an id is a text or a number, and is repeated as it was; anything else is refused.
func TestIdentifiers(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		for _, id := range []string{`"fred"`, `7`, `""`, `-1.5`, `12345678901234567`} {
			s.say(`{"op":"fly","id":%s}`, id)
			data, _ := s.frame()
			if !strings.Contains(string(data), `"id":`+id) {
				s.Errorf("%s: %s", id, data)
			}
		}
		s.say(`{"op":"fly","id":null}`)
		if m := s.hear(); m["id"] != nil {
			s.Errorf("%v", m)
		}
		s.say(`{"op":"call_service","service":"/rosapi/topics","id":{}}`)
		s.refused("want a text or a number")
		s.say(`{"op":"call_service","service":"/rosapi/get_time#33"}`)
		if m := s.hear(); m["id"] != "33" || m["result"] != true {
			s.Errorf("the id in the name: %v", m)
		}
	})
}

// TestLevelsOfStatus: errors by default, what may be wrong at warning, everything at info, nothing at none.
func TestLevelsOfStatus(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		levels := func() (got []string) {
			for _, say := range []string{
				`{"op":"fly"}`, `{"op":"unadvertise","topic":"/none"}`, `{"op":"unadvertise_service","service":"/none"}`,
				`{"op":"publish","topic":"/c","type":"std_msgs/ColorRGBA","msg":{"r":1}}`,
				`{"op":"publish","topic":"/c","type":"std_msgs/ColorRGBA","msg":{"r":1,"g":1,"b":1,"a":1}}`,
			} {
				s.say("%s", say)
				if data, _ := s.frame(); data != nil {
					m := map[string]any{}
					s.must(json.Unmarshal(data, &m))
					got = append(got, fmt.Sprint(m["level"]))
				}
			}
			return got
		}
		for _, c := range []struct{ level, want string }{
			{"", "[error]"}, {"none", "[]"}, {"loud", "[]"}, {"warning", "[error warning warning warning]"},
			{"info", "[error warning warning warning info]"}, {"error", "[error]"},
		} {
			if c.level != "" {
				s.say(`{"op":"set_level","level":%q}`, c.level)
			}
			if got := fmt.Sprint(levels()); got != c.want {
				s.Errorf("level %s: %s, want %s", c.level, got, c.want)
			}
		}
	})
}

// TestFragmentsOfClients: a message in parts is processed when the last one is received, in any order, as is a PNG.
func TestFragmentsOfClients(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		heard := make(chan string, 10)
		_, err := ros2.NewSubscription(s.robot, "t", ros2.DefaultQoS(), func(m *std_msgs.String, _ ros2.MessageInfo) { heard <- m.Data })
		s.must(err)
		message := `{"op":"publish","topic":"/t","msg":{"data":"a long \"text\""}}`
		send := func(op, id, text string, order []int) {
			size := (len(text) + len(order) - 1) / len(order)
			for _, i := range order {
				part, _ := json.Marshal(text[i*size : min((i+1)*size, len(text))])
				s.say(`{"op":%q,"id":%q,"num":%d,"total":%d,"data":%s}`, op, id, i, len(order), part)
			}
		}
		picture := struct{ Data string }{}
		s.must(json.Unmarshal(pngBody([]byte(message)), &picture))
		whole := fmt.Sprintf(`{"op":"png","data":%q}`, picture.Data)
		send("fragment", "a", message, []int{0, 1, 2})
		send("fragment", "b", message, []int{2, 0, 1})
		send("fragment", "c", message, []int{0})
		send("png", "d", picture.Data, []int{1, 0})
		send("fragment", "e", whole, []int{1, 2, 3, 0})
		s.say("%s", whole)
		for range 6 {
			if got := <-heard; got != `a long "text"` {
				s.Error(got)
			}
		}
		if n := len(s.client.assembly.messages) + s.client.assembly.bytes; n != 0 {
			s.Errorf("%d parts and bytes are kept", n)
		}
	})
}

// TestFragmentsThatDoNotFit: wrong parts are refused, what is incomplete is bounded and forgotten after ten minutes.
func TestFragmentsThatDoNotFit(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		for _, c := range []struct{ say, want string }{
			{`{"op":"fragment","num":0,"total":2,"data":"x"}`, "without id"},
			{`{"op":"fragment","id":"a","num":2,"total":2,"data":"x"}`, "fragment 2 of 2"},
			{`{"op":"fragment","id":"a","num":-1,"total":2,"data":"x"}`, "fragment -1 of 2"},
			{`{"op":"fragment","id":"a","num":0,"total":1000000000,"data":"x"}`, "total"},
			{`{"op":"fragment","id":"a","num":0,"total":2}`, "no data"},
			{`{"op":"fragment","id":"n","num":0,"total":1,"data":"{\"op\":\"fragment\",\"id\":\"m\",\"num\":0,\"total\":1,\"data\":\"x\"}"}`, `op "fragment"`},
			{`{"op":"fragment","id":"n","num":0,"total":1,"data":"nonsense"}`, "invalid character"},
			{`{"op":"png","data":"?"}`, "base64"}, {`{"op":"png","data":"aGk="}`, "png"},
		} {
			s.say("%s", c.say)
			s.refused(c.want)
		}
		s.say(`{"op":"fragment","id":"a","num":0,"total":2,"data":"x"}`)
		s.say(`{"op":"fragment","id":"a","num":0,"total":2,"data":"x"}`)
		s.refused("came twice")
		s.say(`{"op":"fragment","id":"a","num":0,"total":3,"data":"x"}`)
		s.refused("has total 3, those before 2")
		time.Sleep(partsTime + time.Second)
		big := strings.Repeat("x", 1<<20)
		for i := range 3 {
			s.say(`{"op":"fragment","id":"big","num":%d,"total":9,"data":%q}`, i, big)
		}
		if n := len(s.client.assembly.messages); n != 1 {
			s.Errorf("%d messages are kept", n)
		}
		s.say(`{"op":"fragment","id":"big","num":3,"total":9,"data":%q}`, big)
		s.refused("more than 4194304 bytes")
		if n := s.client.assembly.bytes; n != 0 {
			s.Errorf("%d bytes are kept", n)
		}
	})
}

// assemble joins the fragments of a message as a client does.
func (s *scene) assemble() (message string, ids map[string]bool) {
	s.Helper()
	ids = map[string]bool{}
	for n, total := 0, 1; n < total; n++ {
		m := s.hear()
		if m["op"] != "fragment" || m["num"] != float64(n) {
			s.Fatalf("%v", m)
		}
		total = int(m["total"].(float64))
		message += m["data"].(string)
		ids[asJSON(s.T, m["id"])] = true
	}
	return message, ids
}

// TestFragmentSize: messages and responses that are longer are split where a character ends; each has an id.
func TestFragmentSize(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		pub, err := ros2.NewPublisher[std_msgs.String](s.robot, "t", ros2.DefaultQoS())
		s.must(err)
		s.say(`{"op":"subscribe","topic":"/t","fragment_size":70}`)
		text := strings.Repeat("äöü€𝄞", 20)
		last := ""
		for range 2 {
			s.must(pub.Publish(&std_msgs.String{Data: text}))
			message, ids := s.assemble()
			if want := fmt.Sprintf(`{"op":"publish","topic":"/t","msg":{"data":%q}}`, text); message != want {
				s.Errorf("%s", message)
			}
			if id := fmt.Sprint(ids); len(ids) != 1 || id == last {
				s.Errorf("ids %v after %v", ids, last)
			} else {
				last = id
			}
		}
		s.must(pub.Publish(&std_msgs.String{Data: "short"}))
		if m := s.hear(); m["op"] != "publish" {
			s.Errorf("%v", m)
		}
		s.say(`{"op":"call_service","id":"c","service":"/rosapi/interfaces","fragment_size":1000}`)
		message, ids := s.assemble()
		var response struct{ Values struct{ Interfaces []string } }
		s.must(json.Unmarshal([]byte(message), &response))
		if len(response.Values.Interfaces) < 100 || !ids[`"c"`] {
			s.Errorf("%d interfaces, ids %v", len(response.Values.Interfaces), ids)
		}
		s.say(`{"op":"call_service","id":"p","service":"/rosapi/get_ros_version","compression":"png"}`)
		data, _ := s.frame()
		if got := unpack(s.T, data); !strings.Contains(got, `"version":2`) {
			s.Error(got)
		}
	})
}

// TestRequestsOfOneTopicAreMerged: the least throttle_rate, the longest queue, and the best compression count.
func TestRequestsOfOneTopicAreMerged(t *testing.T) {
	s := &subscription{demands: map[string]demand{
		"a": {period: time.Second, queue: 3, fragment: 500}, "b": {period: time.Minute, queue: 9, compression: "png"},
		"c": {period: 2 * time.Second, queue: 1, fragment: 100, compression: "none"},
	}}
	if m := s.merged(); m != (demand{time.Second, 9, 100, "png"}) {
		t.Errorf("%+v", m)
	}
	delete(s.demands, "a")
	delete(s.demands, "b")
	if m := s.merged(); m.period != 2*time.Second || m.queue != 1 || m.fragment != 100 || compressionRank(m.compression) != 0 {
		t.Errorf("%+v", m)
	}
	for n, size := range map[float64]int{0: 0, -1: 0, math.NaN(): 0, 1: minFragment, 1e300: maxAssembled, 1000: 1000} {
		if got := (&request{FragmentSize: n}).fragmentSize(); got != size {
			t.Errorf("fragment_size %v: %d", n, got)
		}
	}
}

// TestTypesThatConflict: a topic that nodes use with another type is refused, as the protocol demands.
func TestTypesThatConflict(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		_, err := ros2.NewPublisher[std_msgs.String](s.robot, "chatter", ros2.DefaultQoS())
		s.must(err)
		for _, op := range []string{"advertise", "subscribe", "publish"} {
			s.say(`{"op":%q,"topic":"/chatter","type":"std_msgs/Bool"}`, op)
			s.refused("topic /chatter has type std_msgs/msg/String")
		}
		s.say(`{"op":"subscribe","topic":"/own","type":"std_msgs/Bool"}`)
		s.say(`{"op":"unsubscribe","topic":"/own"}`)
		s.say(`{"op":"subscribe","topic":"/own","type":"std_msgs/String"}`) // a mistake that is mended
		s.say(`{"op":"subscribe","topic":"/own","type":"std_msgs/Bool","id":"b"}`)
		s.refused("topic /own has type std_msgs/msg/String")
	})
}

// TestLatch: who comes later gets the last message of a topic that is advertised with latch.
func TestLatch(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		s.say(`{"op":"advertise","topic":"/l","type":"std_msgs/String","latch":true,"queue_size":100}`)
		s.say(`{"op":"publish","topic":"/l","msg":{"data":"kept"}}`)
		heard := make(chan string, 10)
		_, err := ros2.NewSubscription(s.robot, "l", ros2.LatchedQoS(), func(m *std_msgs.String, _ ros2.MessageInfo) { heard <- m.Data })
		s.must(err)
		if got := <-heard; got != "kept" {
			s.Error(got)
		}
	})
}

// TestAdvertisementsByID: a topic is published until every id has unadvertised it.
func TestAdvertisementsByID(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		for _, say := range []string{
			`{"op":"advertise","id":"a","topic":"/x","type":"std_msgs/String"}`, `{"op":"advertise","id":"b","topic":"/x","type":"std_msgs/String"}`,
			`{"op":"unadvertise","id":"a","topic":"/x"}`,
		} {
			s.say("%s", say)
		}
		if n := s.client.hub.Stats().Publications; n != 1 {
			s.Errorf("%d publications", n)
		}
		s.say(`{"op":"unadvertise","id":"b","topic":"/x"}`)
		if n := s.client.hub.Stats().Publications; n != 0 {
			s.Errorf("%d publications", n)
		}
	})
}

// TestEveryOperationOfTheProtocolIsRead: none is unknown, and one that cannot be read is answered with an error.
func TestEveryOperationOfTheProtocolIsRead(t *testing.T) {
	for _, op := range []string{
		"fragment", "png", "set_level", "status", "auth", "advertise", "unadvertise", "publish", "subscribe", "unsubscribe",
		"advertise_service", "unadvertise_service", "call_service", "service_response", "advertise_action", "unadvertise_action",
		"send_action_goal", "cancel_action_goal", "action_feedback", "action_result",
	} {
		inScene(t, guard.Drive, func(s *scene) {
			s.say(`{"op":%q,"id":"i"}`, op)
			if data, _ := s.frame(); strings.Contains(string(data), `op "`) {
				s.Errorf("%s: %s", op, data)
			}
			for _, field := range []string{"topic", "service", "action", "throttle_rate", "latch", "feedback", "status", "num", "data", "level"} {
				s.say(`{"op":%q,"id":"i",%q:{}}`, op, field)
				if m := s.hear(); m["op"] != "status" || m["level"] != "error" || m["id"] != "i" {
					s.Errorf("%s with an object as %s: %v", op, field, m)
				}
			}
		})
	}
}

// TestRosapiTypes: what Foxglove's and Lichtblick's connection to rosbridge and roslib's getMessageDetails ask for.
func TestRosapiTypes(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		s.withSwitch()
		defer s.serveFibonacci()()
		_, err := ros2.NewPublisher[std_msgs.Header](s.robot, "h", ros2.DefaultQoS())
		s.must(err)
		for _, c := range []struct{ service, args, want string }{
			{"topics_and_raw_types", `{}`, `builtin_interfaces/Time stamp\nstring frame_id\n====`},
			{"topics_and_raw_types", `[]`, `"std_msgs/msg/Header"`},
			{"message_details", `{"type":"std_msgs/Header"}`, `"fieldnames":["stamp","frame_id"],"fieldtypes":["builtin_interfaces/Time","string"],"type":"std_msgs/Header"`},
			{"message_details", `{"type":"std_msgs/msg/Header"}`, `"fieldtypes":["int32","uint32"],"type":"builtin_interfaces/Time"`},
			{"message_details", `{"type":"sensor_msgs/Imu"}`, `"fieldarraylen":[-1,-1,9,-1,9,-1,9]`},
			{"message_details", `{"type":"std_msgs/Float32MultiArray"}`, `"examples":["{}","[]"],"fieldarraylen":[-1,0],"fieldnames":["layout","data"],"fieldtypes":["std_msgs/MultiArrayLayout","float"]`},
			{"service_request_details", `{"type":"std_srvs/SetBool"}`, `"examples":["False"],"fieldarraylen":[-1],"fieldnames":["data"],"fieldtypes":["boolean"]`},
			{"service_response_details", `{"type":"std_srvs/srv/SetBool"}`, `"fieldtypes":["boolean","string"]`},
			{"action_goal_details", `{"type":"example_interfaces/Fibonacci"}`, `"fieldnames":["order"]`},
			{"action_result_details", `{"type":"example_interfaces/action/Fibonacci"}`, `"fieldnames":["sequence"]`},
			{"action_feedback_details", `{"type":"example_interfaces/action/Fibonacci"}`, `"fieldnames":["sequence"]`},
			{"action_servers", `{}`, `{"action_servers":["/fibonacci"]}`},
			{"action_type", `{"action":"/fibonacci"}`, `{"type":"example_interfaces/action/Fibonacci"}`},
			{"action_type", `{"action":"/none"}`, `{"type":""}`},
			{"interfaces", `{}`, `"example_interfaces/action/Fibonacci","geometry_msgs/msg/Accel"`},
			{"interfaces", `{}`, `"std_srvs/srv/SetBool"`},
			{"service_providers", `{"service":"std_srvs/SetBool"}`, `{"providers":["/robot"]}`},
			{"services", `{}`, `"/rosapi/interfaces"`},
			{"service_type", `{"service":"/rosapi/topics"}`, `{"type":"rosapi_msgs/srv/Topics"}`},
			{"services_for_type", `{"type":"rosapi_msgs/GetTime"}`, `{"services":["/rosapi/get_time"]}`},
			{"service_node", `{"service":"/rosapi/topics"}`, `{"node":"/rosapi"}`},
			{"has_param", `{"name":"/none:x"}`, `{"exists":false}`},
			{"get_time", `{}`, `"nsecs":100000000,"sec":946684800`},
		} {
			values, ok := s.call("/rosapi/"+c.service, c.args)
			if got := asJSON(s.T, values); !ok || !strings.Contains(got, c.want) {
				s.Errorf("%s %s: %.600s, %v; want %s", c.service, c.args, got, ok, c.want)
			}
		}
		for _, hidden := range []string{"topics", "services", "topics_and_raw_types"} {
			if values, _ := s.call("/rosapi/"+hidden, "{}"); strings.Contains(asJSON(s.T, values), "_action") {
				s.Errorf("%s lists the parts of an action", hidden)
			}
		}
		for _, service := range []string{"message_details", "service_request_details", "action_goal_details"} {
			if values, ok := s.call("/rosapi/"+service, `{"type":"no/Such"}`); ok {
				s.Errorf("%s: %v", service, values)
			}
		}
	})
}
