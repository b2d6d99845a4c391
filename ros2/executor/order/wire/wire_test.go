// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// golden has one message of each kind, byte for byte: the Python executor of deploy/ros reads and writes the same.
var golden = []string{
	`{"version":1,"kind":"hello","member":"brain","session":"s1","next":[100000000,0],"own":true,"endpoints":[{"id":1,"role":"subscription","name":"/scan","type":"std_msgs/msg/String","node":"/brain","reliable":true,"matched":2}]}`,
	`{"version":1,"kind":"welcome","member":"brain","session":"s1","leader":"l1","at":[0,0],"start":[0,0]}`,
	`{"version":1,"kind":"grant","member":"brain","session":"s1","leader":"l1","number":1,"at":[100000000,1],"deliveries":[{"number":7,"endpoint":1,"sum":"00c3a1b2d4e5f607","outside":true}]}`,
	`{"version":1,"kind":"grant","member":"brain","session":"s1","leader":"l1","number":2,"at":[200000000,1],"hold":true,"admit":[{"node":"/brain","source":"timer","name":"end of control"}]}`,
	`{"version":1,"kind":"done","member":"brain","session":"s1","leader":"l1","number":1,"came":[100000000,2],"runs":[{"at":[100000000,1],"node":"/brain","source":"subscription","name":"/scan","outside":true,"got":"00c3a1b2d4e5f607","sent":[{"topic":"/cmd_vel","sum":"0000000000000001"}]}],"sends":[{"kind":"message","name":"/cmd_vel","sum":"0000000000000001"},{"kind":"request","name":"/plan","sum":"0000000000000002","from":3},{"kind":"reply","name":"/plan","sum":"0000000000000003","to":7}],"held":[{"endpoint":1,"sum":"0000000000000004","count":2}]}`,
	`{"version":1,"kind":"alive","member":"brain","session":"s1","leader":"l1","number":1,"waits":["timer \"control\" of /brain, 7s"]}`,
	`{"version":1,"kind":"leave","member":"brain","session":"s1","leader":"l1"}`,
	`{"version":1,"kind":"refuse","member":"brain","session":"s1","leader":"l1","text":"the name is taken"}`,
	`{"version":1,"kind":"end","leader":"l1"}`,
	`{"version":1,"kind":"end","member":"brain","session":"s1","leader":"l1"}`,
}

func TestGoldenMessages(t *testing.T) {
	for _, text := range golden {
		m, err := Decode(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := Encode(m); got != text {
			t.Errorf("written as\n%s, want\n%s", got, text)
		}
	}
}

func TestBrokenMessages(t *testing.T) {
	for _, text := range []string{
		``, `{`, `[]`, `{}`, `{"version":1}`, `{"version":1,"kind":"other","member":"a","session":"b","leader":"c"}`,
		strings.Replace(golden[0], `"version":1`, `"version":2`, 1), strings.Replace(golden[0], `"brain"`, `""`, 1),
		strings.Replace(golden[0], `[100000000,0]`, `[-1,0]`, 1), strings.Replace(golden[1], `,"start":[0,0]`, ``, 1),
		strings.Replace(golden[1], `,"at":[0,0]`, ``, 1), strings.Replace(golden[2], `"number":1`, `"number":0`, 1),
		strings.Replace(golden[2], `[100000000,1]`, `[0,99999999999]`, 1), strings.Replace(golden[2], `00c3`, `00C3`, 1),
		strings.Replace(golden[2], `00c3`, `c3`, 1), strings.Replace(golden[4], `"/brain"`, `"brain"`, 1),
		strings.Replace(golden[4], `"count":2`, `"count":0`, 1), strings.Replace(golden[5], `"l1"`, `""`, 1),
		strings.Replace(golden[8], `"l1"`, `""`, 1), strings.Repeat(" ", MaxLength+1),
	} {
		if m, err := Decode(text); !errors.Is(err, errMessage) {
			t.Errorf("%.80s is read as %+v: %v", text, m, err)
		}
	}
}

// A sum does not depend on a middleware's header and padding.
func TestSums(t *testing.T) {
	const want = "2cf24dba5fb0a30e" // of "hello"
	for _, payload := range []string{"\x00\x01\x00\x00hello", "\x00\x01\x00\x03hello\x00\x00\x00", "\x00\x00\x00\x00hello\x00"} {
		if got := SumOf([]byte(payload)).String(); got != want {
			t.Errorf("%q has %s, want %s", payload, got, want)
		}
	}
	for _, short := range [][]byte{nil, {1}, {0, 1, 0, 0}} {
		if got := SumOf(short).String(); got != "e3b0c44298fc1c14" { // of nothing
			t.Errorf("%x has %s", short, got)
		}
	}
	if SumOf([]byte("\x00\x01\x00\x00a\x00b")) == SumOf([]byte("\x00\x01\x00\x00ab")) {
		t.Error("zeros in the middle are lost")
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range golden {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Decode(text)
		if err != nil {
			if !errors.Is(err, errMessage) {
				t.Errorf("%v", err)
			}
			return
		}
		again, err := Decode(Encode(m))
		if err != nil {
			t.Errorf("%q is not read again: %v", Encode(m), err)
		} else if Encode(again) != Encode(m) {
			t.Errorf("%q is written as %q", Encode(m), Encode(again))
		}
	})
}

// Text is std_msgs/msg/String: its name, hash, definition and bytes.
func TestTextIsStdMsgsString(t *testing.T) {
	text, theirs := &Text{Data: "5 cm"}, &std_msgs.String{Data: "5 cm"}
	if text.ROSType() != theirs.ROSType() || text.TypeHash() != theirs.TypeHash() {
		t.Errorf("%s %s, not %s %s", text.ROSType(), text.TypeHash(), theirs.ROSType(), theirs.TypeHash())
	}
	ours, _ := text.TypeDefinition()
	if want, _ := theirs.TypeDefinition(); ours != want {
		t.Errorf("definition %q, not %q", ours, want)
	}
	data := cdr.Append(nil, text)
	if !bytes.Equal(data, cdr.Append(nil, theirs)) {
		t.Errorf("bytes %x", data)
	}
	var again Text
	if err := cdr.Unmarshal(data, &again); err != nil || again != *text {
		t.Errorf("read again as %+v: %v", again, err)
	}
	if err := cdr.Unmarshal(data[:7], &again); err == nil {
		t.Error("a part of a message is read")
	}
}

func drawMessage(t *rapid.T) *Message {
	tag := rapid.Custom(func(t *rapid.T) Tag {
		return Tag{rapid.Int64Range(0, 1e18).Draw(t, "ns"), rapid.Int64Range(0, 1<<31-1).Draw(t, "micro")}
	})
	word := rapid.StringMatching(`[a-z/_]{1,12}`)
	sum := rapid.Custom(func(t *rapid.T) Sum { return Sum(rapid.Uint64().Draw(t, "sum")) })
	kind := rapid.SampledFrom([]Kind{Hello, Alive, Done, Leave, Welcome, Grant, Refuse, End}).Draw(t, "kind")
	m := &Message{Kind: kind, Member: word.Draw(t, "member"), Session: word.Draw(t, "session"), Leader: word.Draw(t, "leader")}
	m.Number = rapid.Int64Range(1, 1e15).Draw(t, "number")
	at := tag.Draw(t, "at")
	m.At, m.Start = &at, &[2]int64{rapid.Int64().Draw(t, "s"), rapid.Int64Range(0, 999999999).Draw(t, "ns")}
	if rapid.Bool().Draw(t, "has next") {
		next := tag.Draw(t, "next")
		m.Next = &next
	}
	for range rapid.IntRange(0, 3).Draw(t, "deliveries") {
		m.Deliveries = append(m.Deliveries, Delivery{Number: rapid.Int64().Draw(t, "number"), Endpoint: rapid.Int().Draw(t, "endpoint"), Sum: sum.Draw(t, "sum")})
		m.Held = append(m.Held, Arrival{Endpoint: rapid.Int().Draw(t, "endpoint"), Sum: sum.Draw(t, "sum"), Count: rapid.IntRange(1, 9).Draw(t, "count")})
		m.Sends = append(m.Sends, Send{Kind: OfTopic, Name: word.Draw(t, "name"), Sum: sum.Draw(t, "sum"), To: rapid.Int64().Draw(t, "to")})
		m.Runs = append(m.Runs, Run{At: tag.Draw(t, "at"), Node: "/" + word.Draw(t, "node"), Source: "timer", Name: rapid.String().Draw(t, "name"),
			Sent: []Sent{{Topic: word.Draw(t, "topic"), Sum: sum.Draw(t, "sum")}}})
		m.Endpoints = append(m.Endpoints, Endpoint{ID: rapid.Int().Draw(t, "id"), Role: Client, Name: word.Draw(t, "name"), Reliable: rapid.Bool().Draw(t, "reliable")})
	}
	return m
}

// A message of each kind without a required field is rejected, whatever else it has.
func TestKindsNeedTheirFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMessage(t)
		switch {
		case m.Kind == End:
			m.Leader = ""
		case rapid.Bool().Draw(t, "which"):
			m.Member = ""
		default:
			m.Session = ""
		}
		if got, err := Decode(Encode(m)); !errors.Is(err, errMessage) {
			t.Fatalf("%s is read as %+v: %v", Encode(m), got, err)
		}
	})
}

// Decoding an encoded message returns it.
func TestMessagesAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMessage(t)
		got, err := Decode(Encode(m))
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("%s is read as %+v: %v", Encode(m), got, err)
		}
	})
}
