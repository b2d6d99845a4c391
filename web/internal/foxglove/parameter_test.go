// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/parameters"
)

// declare declares parameters of every type that needs a conversion in JSON.
func (s *scene) declare() {
	s.Helper()
	for name, value := range map[string]ros2.ParameterValue{
		"whole": ros2.IntegerValue(3), "speed": ros2.DoubleValue(0.5), "name": ros2.StringValue("x"), "a.b": ros2.BoolValue(true),
		"list": ros2.DoubleArrayValue([]float64{1, 2}),
	} {
		_, err := s.robot.DeclareParameter(ros2.ParameterDescriptor{Name: name, Default: value})
		s.must(err)
	}
}

// values returns the next parameterValues as "name=value/type".
func (s *scene) values(id any) (all []string) {
	s.Helper()
	m := s.hear("parameterValues")
	if m["id"] != id {
		s.Errorf("id %v, want %v", m["id"], id)
	}
	for _, p := range list(m, "parameters") {
		all = append(all, fmt.Sprintf("%v=%v/%v", p["name"], p["value"], p["type"]))
	}
	return all
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][2]string{
		"/robot.a": {"/robot", "a"}, "/ns/robot.a.b": {"/ns/robot", "a.b"}, "robot.a": {"robot", "a"}, "/r..a": {"/r", ".a"},
		"": {}, ".": {}, "/r.": {}, ".a": {}, "/r": {}, strings.Repeat("x", 1000): {},
	} {
		node, param, err := splitName(name)
		if got := [2]string{node, param}; got != want || (want == [2]string{}) != errors.Is(err, ErrMessage) {
			t.Errorf("%.20q: %q, %v", name, got, err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%d bytes of an error", len(err.Error()))
		}
	}
}

// TestWireParameter: JSON has no NaN, no octets and one type of numbers; the type field distinguishes them.
func TestWireParameter(t *testing.T) {
	type value = rcl_interfaces.ParameterValue
	for _, c := range []struct {
		value       value
		json, typed string
	}{
		{value{}, "", ""},
		{value{Type: rcl_interfaces.ParameterTypeBool, BoolValue: true}, "true", ""},
		{value{Type: rcl_interfaces.ParameterTypeInteger, IntegerValue: math.MinInt64}, "-9223372036854775808", ""},
		{value{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: 1}, "1", "float64"},
		{value{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: math.NaN()}, "null", "float64"},
		{value{Type: rcl_interfaces.ParameterTypeString, StringValue: `"`}, `"\""`, ""},
		{value{Type: rcl_interfaces.ParameterTypeByteArray, ByteArrayValue: []byte{0, 255}}, `"AP8="`, "byte_array"},
		{value{Type: rcl_interfaces.ParameterTypeBoolArray}, "[]", ""},
		{value{Type: rcl_interfaces.ParameterTypeDoubleArray, DoubleArrayValue: []float64{1, math.Inf(1)}}, "[1,null]", "float64_array"},
		{value{Type: rcl_interfaces.ParameterTypeStringArray}, "[]", ""},
		{value{Type: 200}, "null", ""},
	} {
		p, err := wireParameter("/r", &parameters.Parameter{Name: "p", Value: c.value})
		if err != nil || p.Name != "/r.p" || string(p.Value) != c.json || p.Type != c.typed {
			t.Errorf("%+v: %s %q, %v", c.value, p.Value, p.Type, err)
		}
	}
}

func TestGetParameters(t *testing.T) {
	inScene(t, func(s *scene) {
		s.declare()
		s.say(`{"op":"getParameters","parameterNames":["/robot.whole","/robot.speed"],"id":"q"}`)
		if got := fmt.Sprint(s.values("q")); got != "[/robot.speed=0.5/float64 /robot.whole=3/<nil>]" {
			s.Error(got)
		}
		s.say(`{"op":"getParameters","parameterNames":[]}`)
		got := fmt.Sprint(s.values(nil))
		for _, want := range []string{"/robot.a.b=true/<nil>", "/robot.list=[1 2]/float64_array", "/robot.name=x/<nil>", "/robot.use_sim_time=false"} {
			if !strings.Contains(got, want) {
				s.Errorf("%s, want %s", got, want)
			}
		}
		s.say(`{"op":"getParameters","parameterNames":["/robot.none"]}`)
		if got := fmt.Sprint(s.values(nil)); got != "[/robot.none=<nil>/<nil>]" {
			s.Error("a parameter that does not exist:", got)
		}
		s.say(`{"op":"getParameters","parameterNames":["/missing.a","/robot.whole"],"id":"r"}`)
		s.refused(statusWarning, "parameters of /missing: hub: no such service")
		if got := fmt.Sprint(s.values("r")); got != "[/robot.whole=3/<nil>]" {
			s.Error(got)
		}
		s.say(`{"op":"getParameters","parameterNames":["/robot.whole","robot"],"id":"r"}`)
		s.refused(statusError, `parameter "robot": want /node.name`)
		s.quiet("a wrong name ends it all")
	})
}

// TestSetParameters: a parameter's type decides how 1 is converted; a node's refusal is reported with its reason.
func TestSetParameters(t *testing.T) {
	inScene(t, func(s *scene) {
		s.declare()
		s.say(`{"op":"setParameters","parameters":[{"name":"/robot.speed","value":2},{"name":"/robot.whole","value":4.0}],"id":"x"}`)
		if got := fmt.Sprint(s.values("x")); got != "[/robot.speed=2/float64 /robot.whole=4/<nil>]" {
			s.Error(got)
		}
		v, err := s.robot.Parameter("speed")
		s.must(err)
		if v.Type() != ros2.ParameterDouble {
			s.Errorf("speed became %v", v.Type())
		}
		s.say(`{"op":"setParameters","parameters":[{"name":"/robot.name","value":"y"}]}`) // wants no answer
		s.quiet("without an id")
		for _, c := range []struct{ value, want string }{
			{`{"name":"/robot.whole","value":0.5}`, "/robot.whole: parameters: bad value: 0.5 is no whole number"},
			{`{"name":"/robot.name","value":[]}`, "/robot.name: "},
			{`{"name":"/robot.none","value":{}}`, "/robot.none: "},
			{`{"name":"/robot.whole"}`, "/robot.whole"},
			{`{"name":"/robot.none","value":1}`, "/robot.none"},
			{`{"name":"/missing.a","value":1}`, "no such service"},
		} {
			s.say(`{"op":"setParameters","parameters":[%s]}`, c.value)
			s.refused(statusError, c.want)
		}
		s.say(`{"op":"setParameters","parameters":[{"name":"/robot.name","value":"z"},{"name":"robot","value":1}],"id":"x"}`)
		s.refused(statusError, `parameter "robot"`)
		s.quiet("a wrong name ends it all")
		if v, err := s.robot.Parameter("name"); err != nil || v.String() == "z" {
			s.Error(v, err, "the first of a wrong message was set")
		}
	})
}

// TestParameterUpdates: changes of the subscribed parameters are sent, and no others.
func TestParameterUpdates(t *testing.T) {
	inScene(t, func(s *scene) {
		s.declare()
		s.met()
		s.say(`{"op":"unsubscribeParameterUpdates","parameterNames":[]}`) // of nothing
		s.withNews()
		s.hear("control")
		set := func(name string, v ros2.ParameterValue) {
			s.Helper()
			s.must(errors.Join(s.robot.Parameters().Set(ros2.Parameter{Name: name, Value: v})...))
		}
		s.say(`{"op":"subscribeParameterUpdates","parameterNames":["/robot.whole"]}`)
		set("whole", ros2.IntegerValue(5))
		if got := fmt.Sprint(s.values(nil)); got != "[/robot.whole=5/<nil>]" {
			s.Error(got)
		}
		set("speed", ros2.DoubleValue(5))
		s.quiet("not asked for")
		s.say(`{"op":"subscribeParameterUpdates","parameterNames":[]}`)
		set("speed", ros2.DoubleValue(6))
		if got := fmt.Sprint(s.values(nil)); got != "[/robot.speed=6/float64]" {
			s.Error(got)
		}
		s.say(`{"op":"unsubscribeParameterUpdates","parameterNames":["/robot.whole","/robot.other"]}`)
		set("whole", ros2.IntegerValue(6)) // all are asked for still
		s.values(nil)
		s.say(`{"op":"unsubscribeParameterUpdates","parameterNames":[]}`)
		set("whole", ros2.IntegerValue(7))
		s.quiet("nothing asked for")
		if n := s.client.hub.Stats().Subscriptions; n != 0 {
			s.Errorf("%d topics are read", n)
		}
	})
}

// TestParameterEventsOfOthers: deleted parameters have no value; malformed events are ignored.
func TestParameterEventsOfOthers(t *testing.T) {
	inScene(t, func(s *scene) {
		s.say(`{"op":"subscribeParameterUpdates","parameterNames":["/n.new","/n.old","/n.gone"]}`)
		one := func(name string, v int64) rcl_interfaces.Parameter {
			return rcl_interfaces.Parameter{Name: name, Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeInteger, IntegerValue: v}}
		}
		event := rcl_interfaces.ParameterEvent{
			Node: "/n", NewParameters: []rcl_interfaces.Parameter{one("new", 1), one("other", 1)},
			ChangedParameters: []rcl_interfaces.Parameter{one("old", 2)}, DeletedParameters: []rcl_interfaces.Parameter{one("gone", 3)},
		}
		data, err := cdr.Marshal(nil, &event)
		s.must(err)
		s.must(s.client.sendParameters(data))
		if got := fmt.Sprint(s.values(nil)); got != "[/n.new=1/<nil> /n.old=2/<nil> /n.gone=<nil>/<nil>]" {
			s.Error(got)
		}
		for n := range data {
			s.must(s.client.sendParameters(data[:n]))
		}
		s.quiet("torn events")
	})
}

// TestParameterEventsDoNotBlock: the network's goroutine does not wait for the client's.
func TestParameterEventsDoNotBlock(t *testing.T) {
	inScene(t, func(s *scene) {
		for range maxEvents + 10 {
			s.client.parametersChanged(&hub.Message{})
		}
		if len(s.client.events) != maxEvents {
			s.Error(len(s.client.events))
		}
	})
}

// TestParametersOfAClientThatDoesNotRead: the goroutine that sends changes ends with the queue.
func TestParametersOfAClientThatDoesNotRead(t *testing.T) {
	inScene(t, func(s *scene) {
		s.declare()
		s.say(`{"op":"subscribeParameterUpdates","parameterNames":[]}`)
		s.client.wg.Go("news", s.client.sendChanges)
		for i := range 3 {
			s.must(errors.Join(s.robot.Parameters().Set(ros2.Parameter{Name: "whole", Value: ros2.IntegerValue(int64(i))})...))
		}
		synctest.Wait()
		s.client.wg.Wait() // would be a deadlock
	}, tight)
}

// TestManyNamesOfParameters: the number of subscribed parameters is bounded.
func TestManyNamesOfParameters(t *testing.T) {
	inScene(t, func(s *scene) {
		names := make([]string, 0, 2*maxSubscriptions)
		for i := range cap(names) {
			names = append(names, fmt.Sprintf(`"/n.p%d"`, i))
		}
		for range 3 {
			s.say(`{"op":"subscribeParameterUpdates","parameterNames":[%s]}`, strings.Join(names[:200], ","))
		}
		if n := len(s.client.watch.names); n > maxSubscriptions {
			s.Errorf("%d names are kept", n)
		}
		s.say(`{"op":"subscribeParameterUpdates","parameterNames":[%s]}`, strings.Join(names, ","))
		if n := len(s.client.watch.names); n > maxSubscriptions {
			s.Errorf("%d names are kept", n)
		}
	})
}

// TestManyNodesAtOnce: a message of a million bytes names a hundred thousand nodes. A client must not make the server
// query them all at once, nor be disconnected by the warnings.
func TestManyNodesAtOnce(t *testing.T) {
	inScene(t, func(s *scene) {
		var names []string
		for i := range maxNodes + 1 {
			names = append(names, fmt.Sprintf(`"/n%d.p"`, i))
		}
		s.say(`{"op":"getParameters","parameterNames":[%s]}`, strings.Join(names, ","))
		s.refused(statusError, fmt.Sprintf("parameters of more than %d nodes", maxNodes))
		s.quiet("nothing is asked")
		s.say(`{"op":"setParameters","id":"x","parameters":[{"name":%s}]}`, strings.Join(names, `},{"name":`))
		s.refused(statusError, fmt.Sprintf("parameters of more than %d nodes", maxNodes))
		s.quiet("nothing is set")
	})
}

// TestNamesRoundTrip: splitName reverses wireParameter for every name that ROS allows.
func TestNamesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		node := rapid.StringMatching(`(/[a-z_][a-z0-9_]{0,8}){1,3}`).Draw(t, "node")
		name := rapid.StringMatching(`[a-z][a-z0-9_]{0,8}(\.[a-z0-9_]{1,5}){0,3}`).Draw(t, "name")
		p, err := wireParameter(node, &parameters.Parameter{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if n, q, err := splitName(p.Name); err != nil || n != node || q != name {
			t.Fatal(n, q, err)
		}
	})
}
