// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/url"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// Any commands of a kind, one behind the other, are read as they were written.
func TestCommandsComeBack(t *testing.T) {
	type line struct {
		bytes []byte
		want  wire.Command
	}
	lines := map[wire.Kind][]line{}
	for kind, all := range golden() {
		for text, c := range all {
			lines[kind] = append(lines[kind], line{unhex(t, text), c})
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]wire.Kind{
			wire.Robot, wire.Motor, wire.Camera, wire.PositionSensor, wire.Receiver, wire.LED, wire.Emitter, wire.Speaker,
		}).Draw(t, "kind")
		var body []byte
		var want []wire.Command
		for range rapid.IntRange(0, 8).Draw(t, "commands") {
			l := lines[kind][rapid.IntRange(0, len(lines[kind])-1).Draw(t, "which")]
			body, want = append(body, l.bytes...), append(want, l.want)
		}
		got, err := wire.Latest().Commands(kind, body)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%x: %+v, %v, want %+v", body, got, err, want)
		}
	})
}

// Lists of sounds come back of both layouts; from R2025a on, zeros between them mark sounds that were played before.
func TestSoundsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 9), 0, 5).Draw(t, "names")
		for _, r := range wire.Releases()[1:] {
			uploads := r == wire.Latest()
			body := binary.LittleEndian.AppendUint32([]byte{wire.SpeakerPlay}, uint32(len(sizes)))
			before := func() {
				for range rapid.IntRange(0, 2).Draw(t, "played before") {
					body = append(body, 0, 0, 0, 0)
				}
			}
			var want []wire.Command
			for i, n := range sizes {
				c := wire.Command{Code: wire.SpeakerPlay, Text: "abcdefghi"[:n], Value: [3]float64{float64(i), math.Inf(-1), 0.5}, Number: [2]int32{int32(i), 1}}
				if uploads {
					before()
					c.Data = bytes.Repeat([]byte{7}, n)
				}
				body = append(binary.LittleEndian.AppendUint16(body, uint16(n+1)), c.Text+"\x00"...)
				for _, v := range c.Value {
					body = binary.LittleEndian.AppendUint64(body, math.Float64bits(v))
				}
				body = append(binary.LittleEndian.AppendUint16(body, uint16(i)), 1)
				if uploads {
					body = append(binary.LittleEndian.AppendUint32(body, uint32(n)), c.Data...)
				}
				want = append(want, c)
			}
			if uploads {
				before()
			}
			want = append(want, wire.Command{Code: wire.SpeakerEngine, Text: "x"})
			got, err := r.Commands(wire.Speaker, append(body, wire.SpeakerEngine, 2, 0, 'x', 0))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%v, %x: %+v, %v, want %+v", r, body, got, err, want)
			}
		}
	})
}

// What a controller over TCP puts together of an answer's chunks is what one of this machine reads, and the pictures.
func TestAnswersComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a wire.Answer
		a.Reset()
		a.Begin(rapid.Uint16().Draw(t, "tag"), rapid.Byte().Draw(t, "code"))
		a.Bytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		pictures := rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 3).Draw(t, "pictures")
		for i, p := range pictures {
			a.Picture(uint16(300+i), p)
		}
		local, stream := a.Local(), a.Stream()
		if n := binary.LittleEndian.Uint32(local); int(n) != len(local) {
			t.Fatalf("local: %d of %d bytes", n, len(local))
		}
		if n := binary.LittleEndian.Uint16(stream); int(n) != 1+len(pictures) || !bytes.Equal(stream[2:6], stream[6:10]) {
			t.Fatalf("%d chunks: %x", n, stream)
		}
		next := func(kind byte, extra int) (head, data []byte) {
			n := int(binary.LittleEndian.Uint32(stream))
			if stream[4] != kind {
				t.Fatalf("a chunk of type %d, want %d", stream[4], kind)
			}
			head, data, stream = stream[5:5+extra], stream[5+extra:5+extra+n], stream[5+extra+n:]
			return head, data
		}
		stream = stream[6:]
		if _, data := next(0, 0); !bytes.Equal(data, local[4:]) {
			t.Fatalf("%x, want %x", data, local[4:])
		}
		for i, p := range pictures {
			if head, data := next(1, 3); !bytes.Equal(data, p) || binary.LittleEndian.Uint16(head) != uint16(300+i) || head[2] != 0 {
				t.Fatalf("picture %d: %x %x", i, head, data)
			}
		}
		if len(stream) > 0 {
			t.Fatalf("%d bytes too many", len(stream))
		}
	})
}

// Every name can be in a handshake, and one that is not hashed can be read back. The handshake is whole at its end, or
// where a shorter name would end.
func TestNamesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, 40, 90).Draw(t, "name")
		encoded := wire.EncodeName(name)
		handshake := []byte("CTR\nRobot-Name: " + encoded)
		for n := range len(handshake) + 1 {
			got, whole, err := wire.ParseHandshake(handshake[:n])
			if want := string(handshake[min(n, 16):n]); err != nil || got != want || whole != (n == 3 || n > 16) {
				t.Fatalf("%q: %q, %t, %v", handshake[:n], got, whole, err)
			}
		}
		if back, err := url.PathUnescape(encoded); 3*len(name) <= 70 && (err != nil || back != name) {
			t.Fatalf("%q becomes %q, %v", name, back, err)
		}
		if len(encoded) > 70 {
			t.Fatalf("%q has %d characters", encoded, len(encoded))
		}
	})
}
