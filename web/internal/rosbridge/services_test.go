// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// withSwitch offers the service /switch.
func (s *scene) withSwitch() {
	s.Helper()
	_, err := ros2.NewService(s.robot, std_srvs.SetBool{}, "switch",
		func(_ context.Context, q *std_srvs.SetBoolRequest) (*std_srvs.SetBoolResponse, error) {
			return &std_srvs.SetBoolResponse{Success: q.Data, Message: "done"}, nil
		})
	s.must(err)
}

// asJSON writes values in one way.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCallService(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		s.withSwitch()
		for _, c := range []struct{ args, want string }{
			{`{"data":true}`, `{"message":"done","success":true}`},
			{`[true]`, `{"message":"done","success":true}`},
			{`{}`, `{"message":"done","success":false}`},
			{`null`, `{"message":"done","success":false}`},
			{`[]`, `{"message":"done","success":false}`},
		} {
			if values, ok := s.call("/switch", c.args); !ok || asJSON(s.T, values) != c.want {
				s.Errorf("%s: %v, %v; want %s", c.args, asJSON(s.T, values), ok, c.want)
			}
		}
		for _, c := range []struct{ service, args, want string }{
			{"/switch", `[true,1]`, "2 arguments for 1 fields"},
			{"/switch", `{"dat":true}`, "dat"},
			{"/switch", `7`, ""},
			{"/none", `{}`, "no such service"},
			{"/rosapi/none", `{}`, "rosapi/none"},
			{"/rosapi/topics", `7`, "rosapi/topics"},
		} {
			if values, ok := s.call(c.service, c.args); ok || !strings.Contains(fmt.Sprint(values), c.want) {
				s.Errorf("%s %s: %v, %v; want an error with %q", c.service, c.args, values, ok, c.want)
			}
		}
	})
}

// requests counts those that wait for the client's answer.
func (o *offered) requests() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.waiting)
}

// TestOfferService: a client answers what another node asks, fails, and withdraws the service.
func TestOfferService(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		caller, err := ros2.NewClient(s.robot, std_srvs.SetBool{}, "/page/switch")
		s.must(err)
		s.say(`{"op":"advertise_service","service":"/page/switch","type":"std_srvs/SetBool"}`)
		s.must(caller.WaitAvailable(s.Context()))
		ask := func() (answers chan *std_srvs.SetBoolResponse) {
			answers = make(chan *std_srvs.SetBoolResponse, 1)
			ctx, cancel := context.WithTimeout(s.Context(), 2*callTime)
			go func() {
				defer cancel()
				a, _ := caller.Call(ctx, &std_srvs.SetBoolRequest{Data: true})
				answers <- a
			}()
			return answers
		}
		request := func() string {
			m := s.hear()
			id, _ := m["id"].(string)
			if m["op"] != "call_service" || m["service"] != "/page/switch" || id == "" || asJSON(s.T, m["args"]) != `{"data":true}` {
				s.Errorf("%v", m)
			}
			return id
		}
		answers, id := ask(), request()
		s.say(`{"op":"service_response","service":"/page/switch","id":%q,"values":{"success":true,"message":"from a page"},"result":true}`, id)
		if a := <-answers; a == nil || !a.Success || a.Message != "from a page" {
			s.Errorf("%+v", a)
		}
		s.say(`{"op":"service_response","service":"/page/switch","id":%q,"values":{},"result":true}`, id)
		s.refused("waits for an answer")
		answers, id = ask(), request()
		s.say(`{"op":"service_response","service":"/page/switch","id":%q,"result":false}`, id)
		if a := <-answers; a != nil {
			s.Errorf("an answer to what failed: %+v", a)
		}
		answers = ask() // not answered at all
		request()
		if a, waiting := <-answers, s.client.offers["/page/switch"].requests(); a != nil || waiting != 0 {
			s.Errorf("%+v, %d requests wait", a, waiting)
		}
		s.say(`{"op":"unadvertise_service","service":"/page/switch"}`)
		synctest.Wait()
		if caller.Available() {
			s.Error("the service is still there")
		}
		s.say(`{"op":"service_response","service":"/page/switch","id":"x"}`)
		s.refused("not offered")
		s.say(`{"op":"advertise_service","service":"/page/odd","type":"no/Such"}`)
		s.refused("no/srv/Such")
		for i := range maxServices {
			s.say(`{"op":"advertise_service","service":"/page/s%d","type":"std_srvs/Empty"}`, i)
		}
		s.say(`{"op":"advertise_service","service":"/page/more","type":"std_srvs/Empty"}`)
		s.refused("more than 50")
	})
}

func TestCallsAreBounded(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		release := make(chan struct{})
		_, err := ros2.NewService(s.robot, std_srvs.Empty{}, "slow",
			func(context.Context, *std_srvs.EmptyRequest) (*std_srvs.EmptyResponse, error) {
				<-release
				return &std_srvs.EmptyResponse{}, nil
			})
		s.must(err)
		for range maxCalls {
			s.say(`{"op":"call_service","service":"/slow"}`)
		}
		synctest.Wait()
		s.say(`{"op":"call_service","service":"/slow"}`)
		s.refused("calls at once")
		close(release)
		for range maxCalls {
			if m := s.hear(); m["result"] != true {
				s.Errorf("%v", m)
			}
		}
	})
}

// What rosapi, which is not there, would answer.
func TestRosapi(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		s.withSwitch()
		_, err := ros2.NewPublisher[std_msgs.String](s.robot, "chatter", ros2.DefaultQoS())
		s.must(err)
		_, err = ros2.NewSubscription[std_msgs.Bool](s.robot, "light", ros2.DefaultQoS(), func(*std_msgs.Bool, ros2.MessageInfo) {})
		s.must(err)
		_, err = s.robot.Parameters().Declare(ros2.ParameterDescriptor{Name: "gain", Default: ros2.DoubleValue(2)})
		s.must(err)
		for _, c := range []struct{ service, args, want string }{
			{"topics", `{}`, `"/chatter"`}, {"topics", `{}`, `"std_msgs/msg/Bool"`},
			{"topics_for_type", `{"type":"std_msgs/String"}`, `{"topics":["/chatter"]}`},
			{"topics_for_type", `{"type":"no/Such"}`, `{"topics":[]}`},
			{"topic_type", `{"topic":"chatter"}`, `{"type":"std_msgs/msg/String"}`},
			{"topic_type", `{"topic":"/none"}`, `{"type":""}`},
			{"publishers", `{"topic":"/chatter"}`, `{"publishers":["/robot"]}`},
			{"publishers", `{"topic":"/light"}`, `{"publishers":[]}`},
			{"subscribers", `{"topic":"/light"}`, `{"subscribers":["/robot"]}`},
			{"nodes", `{}`, `{"nodes":["/robot"]}`},
			{"services", `{}`, `"/switch"`},
			{"services_for_type", `{"type":"std_srvs/SetBool"}`, `{"services":["/switch"]}`},
			{"service_type", `{"service":"/switch"}`, `{"type":"std_srvs/srv/SetBool"}`},
			{"service_node", `{"service":"/switch"}`, `{"node":"/robot"}`},
			{"node_details", `{"node":"/robot"}`, `"subscribing":["/light"]`},
			{"node_details", `{"node":"/none"}`, `{"publishing":[],"services":[],"subscribing":[]}`},
			{"get_ros_version", `{}`, `{"distro":"","version":2}`},
			{"get_time", `{}`, `"sec":946684800`}, // a bubble begins in the year 2000
			{"get_param_names", `{}`, `"/robot:gain"`},
			{"has_param", `{"name":"/robot:gain"}`, `{"exists":true}`},
			{"has_param", `{"name":"/robot:none"}`, `{"exists":false}`},
			{"get_param", `{"name":"robot:gain"}`, `"value":"2"`},
			{"get_param", `{"name":"/robot:none","default_value":"5"}`, `"value":"5"`},
			{"get_param", `{"name":"/robot:none"}`, `"value":"null"`},
			{"set_param", `{"name":"/robot:gain","value":"3"}`, `"successful":true`},
			{"get_param", `{"name":"/robot:gain"}`, `"value":"3"`},
		} {
			values, ok := s.call("/rosapi/"+c.service, c.args)
			if got := asJSON(s.T, values); !ok || !strings.Contains(got, c.want) {
				s.Errorf("%s %s: %s, %v; want %s", c.service, c.args, got, ok, c.want)
			}
		}
		for _, c := range []struct{ service, args, want string }{
			{"get_param", `{"name":"gain"}`, "want /node:name"}, {"get_param", `{"name":"/robot:"}`, "want /node:name"},
			{"get_param", `{"name":"/none:gain"}`, "no such service"},
			{"set_param", `{"name":"/robot:gain","value":"\"fast\""}`, "bad value"},
			{"set_param", `{"name":"/robot:gain","value":""}`, "bad value"},
			{"search_param", `{"name":"/robot:gain"}`, "rosapi/search_param"},
		} {
			values, ok := s.call("/rosapi/"+c.service, c.args)
			if ok || !strings.Contains(fmt.Sprint(values), c.want) {
				s.Errorf("%s %s: %v, %v; want an error with %q", c.service, c.args, values, ok, c.want)
			}
		}
	})
}
