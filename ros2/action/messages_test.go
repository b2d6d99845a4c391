// SPDX-License-Identifier: Apache-2.0

package action

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

type (
	fib                = example_interfaces.Fibonacci
	fibGoal            = example_interfaces.FibonacciGoal
	fibResult          = example_interfaces.FibonacciResult
	fibFeedbackMessage = example_interfaces.FibonacciFeedback

	fibSend     = tagged[goalKind[fib], fibGoal, *fibGoal]
	fibFeedback = tagged[feedbackKind[fib], fibFeedbackMessage, *fibFeedbackMessage]
	fibAccepted = goalResponse[fib]
	fibAsk      = resultRequest[fib]
	fibEnd      = resultResponse[fib, fibResult, *fibResult]
)

// The composed messages have the names, hashes and definitions of ROS 2's.
func TestComposedMessagesEqualROS(t *testing.T) {
	text, err := os.ReadFile("../../msgs/testdata/type_hashes_jazzy.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]ros2.DefinedMessage{
		"SendGoal_Request": &fibSend{}, "SendGoal_Response": &fibAccepted{}, "GetResult_Request": &fibAsk{},
		"GetResult_Response": &fibEnd{}, "FeedbackMessage": &fibFeedback{},
	} {
		full := "example_interfaces/action/Fibonacci_" + name
		if m.ROSType() != full || m.TypeHash() != want[full] || want[full] == "" {
			t.Errorf("%s: %s %s, want %s", name, m.ROSType(), m.TypeHash(), want[full])
		}
		typ, err := dynamic.Resolve(full, msgs.Definition)
		if err != nil || typ.Hash() != want[full] {
			t.Errorf("%s differs from the definition in msgs: %v", full, err)
		}
	}
}

// roundTrip checks that a message survives encoding and decoding, also by its definition.
func roundTrip(t *rapid.T, in, out ros2.Message) {
	data, err := cdr.Marshal(nil, in)
	if err != nil {
		t.Fatal(err)
	}
	if err := cdr.Unmarshal(data, out); err != nil || !reflect.DeepEqual(in, out) {
		t.Fatalf("%+v came back as %+v: %v", in, out, err)
	}
	typ, err := dynamic.Resolve(in.ROSType(), msgs.Definition)
	if err != nil {
		t.Fatal(err)
	}
	generic := dynamic.New(typ)
	if err := cdr.Unmarshal(data, generic); err != nil {
		t.Fatalf("by the definition: %v", err)
	}
	again, err := cdr.Marshal(nil, generic)
	if err != nil || string(again) != string(data) {
		t.Fatalf("by the definition: % x, want % x (%v)", again, data, err)
	}
}

func TestMessagesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var id ID
		copy(id.UUID[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		numbers := rapid.SliceOfN(rapid.Int32(), 1, 9).Draw(t, "numbers")
		roundTrip(t, &fibSend{GoalID: id, Body: fibGoal{Order: numbers[0]}}, new(fibSend))
		roundTrip(t, &fibFeedback{GoalID: id, Body: fibFeedbackMessage{Sequence: numbers}}, new(fibFeedback))
		roundTrip(t, &fibAccepted{Accepted: rapid.Bool().Draw(t, "accepted"), Stamp: builtin_interfaces.Time{Sec: numbers[0]}}, new(fibAccepted))
		roundTrip(t, &fibAsk{GoalID: id}, new(fibAsk))
		roundTrip(t, &fibEnd{Status: Status(rapid.Int8().Draw(t, "status")), Result: fibResult{Sequence: numbers}}, new(fibEnd))
	})
}

// Any bytes are decoded or rejected.
func FuzzMessages(f *testing.F) {
	for _, m := range []ros2.Message{
		&fibSend{Body: fibGoal{Order: 5}}, &fibFeedback{Body: fibFeedbackMessage{Sequence: []int32{0, 1}}},
		&fibAccepted{Accepted: true}, &fibEnd{Status: Succeeded, Result: fibResult{Sequence: []int32{0, 1, 1}}},
	} {
		data, err := cdr.Marshal(nil, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, m := range []ros2.Message{new(fibSend), new(fibFeedback), new(fibAccepted), new(fibAsk), new(fibEnd)} {
			if err := cdr.Unmarshal(data, m); err != nil {
				continue
			}
			if _, err := cdr.Marshal(nil, m); err != nil {
				t.Fatalf("%T %+v was read and cannot be written: %v", m, m, err)
			}
		}
	})
}
