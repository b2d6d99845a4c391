// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What libController of Webots sends: the first step, and one of 64 ms with a sensor's period and a motor's commands.
func TestGoldenRequests(t *testing.T) {
	q, err := wire.ReadRequest(bytes.NewReader(unhex(t, "08000000 00000000")))
	if err != nil || q.Step != 0 || len(q.Parts) != 0 || q.Bye {
		t.Errorf("the first step: %+v, %v", q, err)
	}
	if q, err = wire.ReadRequest(bytes.NewReader(unhex(t, "00000000"))); err != nil || !q.Bye {
		t.Errorf("the end: %+v, %v", q, err)
	}
	text := "2b000000 40000000 0100 14000000 0100 000000000000f07f 0200 0000000000000040 0500 03000000 01 4000"
	q, err = wire.ReadRequest(bytes.NewReader(unhex(t, text)))
	if err != nil || q.Step != 64*time.Millisecond || len(q.Parts) != 2 || q.Parts[1].Tag != 5 {
		t.Fatalf("%+v, %v", q, err)
	}
	list, err := wire.Latest().Commands(wire.Motor, q.Parts[0].Body)
	if err != nil || len(list) != 2 || !math.IsInf(list[0].Value[0], 1) || list[1].Code != wire.MotorVelocity || list[1].Value[0] != 2 {
		t.Errorf("motor: %+v, %v", list, err)
	}
	list, err = wire.Latest().Commands(wire.DistanceSensor, q.Parts[1].Body)
	if err != nil || len(list) != 1 || list[0].Number[0] != 64 {
		t.Errorf("sensor: %+v, %v", list, err)
	}
	if got := wire.AppendRequest(nil, q); !bytes.Equal(got, unhex(t, text)) {
		t.Errorf("again: %x", got)
	}
}

// Commands of all devices, and what is no command.
func TestCommands(t *testing.T) {
	long := strings.Repeat("00", 8)
	for _, c := range []struct {
		kind wire.Kind
		text string
		want []wire.Command
	}{
		{wire.Robot, "1e 01 03000000 686900", []wire.Command{{Code: 30, Number: [2]int32{1}, Text: "hi"}}},
		{wire.Robot, "1f 4000 26", []wire.Command{{Code: 31, Number: [2]int32{64}}, {Code: 38}}},
		{wire.Robot, "25 0200 6100 28 01", []wire.Command{{Code: 37, Text: "a"}, {Code: 40, Number: [2]int32{1}}}},
		{wire.Robot, "50 02000000 e8030000", []wire.Command{{Code: 80, Number: [2]int32{2, 1000}}}},
		{wire.Robot, "51 02000000 0102", []wire.Command{{Code: 81, Data: []byte{1, 2}}}},
		{wire.Motor, "0700" + long + long + "000000000000f03f", []wire.Command{{Code: 7, Value: [3]float64{0, 0, 1}}}},
		{wire.PositionSensor, "02 3300 01 2000", []wire.Command{{Code: 2, Number: [2]int32{51}}, {Code: 1, Number: [2]int32{32}}}},
		{wire.Camera, "04 000000000000e03f 0b 01", []wire.Command{{Code: 4, Value: [3]float64{0.5}}, {Code: 11, Number: [2]int32{1}}}},
		{wire.LED, "01 ffffffff", []wire.Command{{Code: 1, Number: [2]int32{-1}}}},
		{wire.Emitter, "00 01000000 000000000000f0bf 02000000 6f6b", []wire.Command{{Code: 0, Number: [2]int32{1}, Value: [3]float64{-1}, Data: []byte("ok")}}},
		{wire.Receiver, "02 ffffffff", []wire.Command{{Code: 2, Number: [2]int32{-1}}}},
		{wire.Speaker, "02 0000 02 0100 0200 6100", []wire.Command{{Code: 2}, {Code: 2, Text: "a"}}},
		{wire.Speaker, "05 0200 6100" + long, []wire.Command{{Code: 5, Text: "a"}}},
		{wire.Speaker, "01 01000000 00000000 0200 6100" + long + long + long + "0000 01 01000000 77 00000000",
			[]wire.Command{{Code: 1, Number: [2]int32{0, 1}, Text: "a", Data: []byte("w")}}},
		{wire.Gyro, "", nil},
	} {
		got, err := wire.Latest().Commands(c.kind, unhex(t, c.text))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d %s: %+v, %v", c.kind, c.text, got, err)
		}
	}
	early, err := wire.Releases()[1].Commands(wire.Speaker, unhex(t, "01 01000000 0200 6100"+long+long+long+"0000 01"))
	if err != nil || len(early) != 1 || early[0].Text != "a" {
		t.Errorf("before R2025a: %+v, %v", early, err)
	}
	for text, want := range map[string]error{"01": wire.ErrShort, "63": wire.ErrCommand, "25 0100 61": wire.ErrCommand, "01 40": wire.ErrShort} {
		if _, err := wire.Latest().Commands(wire.LightSensor, unhex(t, text)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	for text, want := range map[string]error{"25 0100 61": wire.ErrSize, "25 0000": wire.ErrSize, "36": wire.ErrCommand, "51 ffffffff": wire.ErrShort} {
		if _, err := wire.Latest().Commands(wire.Robot, unhex(t, text)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

// Lengths that can't be cost neither memory nor time.
func TestBadRequests(t *testing.T) {
	for text, want := range map[string]error{
		"": io.EOF, "0800": io.ErrUnexpectedEOF, "07000000": wire.ErrSize, "ffffffff": wire.ErrSize, "00000001 00000000": io.ErrUnexpectedEOF,
	} {
		if _, err := wire.ReadRequest(bytes.NewReader(unhex(t, text))); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	for _, text := range []string{"0a000000 20000000 0100", "0e000000 20000000 0100 05000000", "15000000 20000000 0000 01000000 07 0100 05000000"} {
		q, err := wire.ReadRequest(bytes.NewReader(unhex(t, text)))
		if err != nil || !errors.Is(q.Unread, wire.ErrShort) || q.Step != 32*time.Millisecond || len(q.Parts) != len(text)/40 {
			t.Errorf("%s: %+v, %v", text, q, err)
		}
	}
	if _, err := wire.ParseRequest([]byte{1}); !errors.Is(err, wire.ErrShort) {
		t.Error(err)
	}
}

// An answer as both kinds of controllers read it.
func TestGoldenAnswers(t *testing.T) {
	var a wire.Answer
	for range 2 { // it is used again
		a.Reset()
		a.Begin(0, wire.RobotTime)
		a.Doubles(0.064)
		a.Begin(3, wire.Configure)
		a.Byte(7)
		a.Bool(true)
		a.Uint16(2)
		a.Int32(-1)
		a.String("ab")
		a.Bytes([]byte{9})
		a.Table([][3]float64{{0, 1, 0}})
		a.Picture(27, []byte{1, 2, 3, 255})
	}
	body := "00000000 0000 04 fca9f1d24d62b03f 0300 00 07 01 0200 ffffffff 616200 09 01000000 0000000000000000 000000000000f03f 0000000000000000"
	n := len(unhex(t, body))
	if got := hex.EncodeToString(a.Local()); got != hex.EncodeToString([]byte{byte(n + 4), 0, 0, 0})+strings.ReplaceAll(body, " ", "") {
		t.Errorf("local: %s", got)
	}
	size := hex.EncodeToString([]byte{byte(n), 0, 0, 0})
	want := strings.ReplaceAll("0200"+size+size+"00"+body+"04000000 01 1b00 00 010203ff", " ", "")
	if got := hex.EncodeToString(a.Stream()); got != want {
		t.Errorf("stream: %s\nwant    %s", got, want)
	}
}

func TestHandshakesAndNames(t *testing.T) {
	for text, want := range map[string]struct {
		name  string
		whole bool
		bad   bool
	}{
		"": {}, "C": {}, "CTR": {whole: true}, "CTR\nRobot-Name: ": {}, "CTR\nRobot-Name: a%20b": {name: "a%20b", whole: true},
		"GET": {bad: true}, "CTR\nRobot-name: a": {bad: true}, "CTR\nRobot-Name: a\n": {bad: true}, strings.Repeat("C", 513): {bad: true},
	} {
		name, whole, err := wire.ParseHandshake([]byte(text))
		if name != want.name || whole != want.whole || errors.Is(err, wire.ErrHandshake) != want.bad {
			t.Errorf("%q: %q, %t, %v", text, name, whole, err)
		}
	}
	for name, want := range map[string]string{
		"e-puck_1.~": "e-puck_1.~", "my robot": "my%20robot", "ä": "%C3%A4",
		strings.Repeat("x", 71): "fd1ee778e79ae344f333264a36514927042c77c2", // SHA-1
	} {
		if got := wire.EncodeName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestReleases(t *testing.T) {
	for name, want := range map[string]struct {
		robot, speaker uint16
		pathed         bool
	}{"R2023a": {33, 58, false}, "R2023b": {34, 59, true}, "R2025a": {34, 59, true}} {
		r, err := wire.ParseRelease(name)
		if err != nil || r.String() != name || r.Number(wire.Robot) != want.robot || r.Number(wire.Speaker) != want.speaker ||
			r.Pathed() != want.pathed || r.Names() != want.pathed {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if _, err := wire.ParseRelease("R2019a"); !errors.Is(err, wire.ErrRelease) {
		t.Error(err)
	}
}

// Every request comes back as it was.
func TestRequestsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := wire.Request{Step: time.Duration(rapid.Uint32().Draw(t, "ms")) * time.Millisecond}
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			q.Parts = append(q.Parts, wire.Part{Tag: rapid.Uint16().Draw(t, "tag"), Body: rapid.SliceOf(rapid.Byte()).Draw(t, "body")})
		}
		got, err := wire.ReadRequest(bytes.NewReader(wire.AppendRequest(nil, q)))
		if err != nil || got.Step != q.Step || len(got.Parts) != len(q.Parts) {
			t.Fatalf("%+v, %v", got, err)
		}
		for i := range q.Parts {
			if got.Parts[i].Tag != q.Parts[i].Tag || !bytes.Equal(got.Parts[i].Body, q.Parts[i].Body) {
				t.Fatalf("part %d: %+v", i, got.Parts[i])
			}
		}
	})
}
