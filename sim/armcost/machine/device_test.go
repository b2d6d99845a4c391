// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// ofGuest is an address as the emulated program has it.
func ofGuest(at uint64) uint32 { return uint32(at - armcost.GuestBase) }

// i2cMessage is struct i2c_msg.
func i2cMessage(addr, flags, size uint16, at uint64) []byte {
	b := binary.NativeEndian.AppendUint16(nil, addr)
	b = binary.NativeEndian.AppendUint16(b, flags)
	b = binary.NativeEndian.AppendUint16(b, size)
	return binary.NativeEndian.AppendUint32(append(b, 0xee, 0xee), ofGuest(at))
}

// i2cData is struct i2c_rdwr_ioctl_data.
func i2cData(at uint64, n uint32) []byte {
	return binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32(nil, ofGuest(at)), n)
}

// TestMessages: what a program gives a bus, and what the kernel refuses.
func TestMessages(t *testing.T) {
	g := newGuest(t)
	end := g.at + guestSize
	out := g.put(t, []byte("out"))
	for _, row := range []struct {
		name  string
		array [][]byte
		n     uint32
		want  error
	}{
		{"write and read", [][]byte{i2cMessage(0x1f, 0, 3, out), i2cMessage(0x7f, i2cRead, maxMessage, out)}, 2, nil},
		{"the last bytes", [][]byte{i2cMessage(0, 0, 4, end-4)}, 1, nil},
		{"to nowhere, which the end shows", [][]byte{i2cMessage(1, i2cRead, 4, end)}, 1, nil},
		{"of nowhere", [][]byte{i2cMessage(1, 0, 4, end-3)}, 1, unix.EFAULT},
		{"nothing", nil, 0, unix.EINVAL},
		{"too long", [][]byte{i2cMessage(1, i2cRead, maxMessage+1, out)}, 1, unix.EINVAL},
		{"no such address", [][]byte{i2cMessage(0x80, 0, 1, out)}, 1, unix.EINVAL},
		{"too many", slices.Repeat([][]byte{i2cMessage(1, 0, 1, out)}, maxMessages+1), maxMessages + 1, unix.EINVAL},
		{"as many as can be", slices.Repeat([][]byte{i2cMessage(1, 0, 1, out)}, maxMessages), maxMessages, nil},
		{"a number that overflows", nil, 1 << 31, unix.EINVAL},
	} {
		got, err := messagesAt(os.Getpid(), g.put(t, i2cData(g.put(t, bytes.Join(row.array, nil)), row.n)))
		if !errors.Is(err, row.want) || row.want == nil && len(got) != int(row.n) {
			t.Errorf("%s: %d messages, %v", row.name, len(got), err)
		}
		if row.name != "write and read" {
			continue
		}
		if a, b := got[0], got[1]; a.addr != 0x1f || a.read || string(a.bytes) != "out" || a.at != out || !b.read || len(b.bytes) != maxMessage {
			t.Errorf("%s: %+v", row.name, got)
		}
	}
	for _, at := range []uint64{end - 7, g.put(t, i2cData(end-11, 1))} {
		if _, err := messagesAt(os.Getpid(), at); !errors.Is(err, unix.EFAULT) {
			t.Errorf("half of it: %v", err)
		}
	}
}

// FuzzMessages: with any content of a program's memory, a bus gets valid messages, of bytes that are there.
func FuzzMessages(f *testing.F) {
	g := newGuest(f)
	at := g.at
	f.Add(i2cData(at+8, 1), i2cMessage(0x1f, 0, 4, at))
	f.Add(i2cData(at+8, 2), append(i2cMessage(0x1f, 0, 4, at), i2cMessage(0x1f, i2cRead, 300, at)...))
	f.Add(i2cData(at+guestSize-12, 1), i2cMessage(1, 0, 1, at))
	f.Add(i2cData(at+8, maxMessages+1), i2cMessage(0xffff, 0xffff, 0xffff, at))
	f.Fuzz(func(t *testing.T, head, array []byte) {
		if len(head)+len(array) > guestSize {
			return
		}
		g.used = 0
		g.put(t, head)
		g.put(t, array)
		messages, err := messagesAt(os.Getpid(), at)
		if err != nil {
			if !errors.Is(err, unix.EFAULT) && !errors.Is(err, unix.EINVAL) || messages != nil {
				t.Fatalf("%d messages, %v", len(messages), err)
			}
			return
		}
		if len(messages) == 0 || len(messages) > maxMessages {
			t.Fatalf("%d messages", len(messages))
		}
		for _, msg := range messages {
			b := make([]byte, len(msg.bytes))
			if msg.addr > 0x7f || len(b) > maxMessage || msg.at < armcost.GuestBase || msg.at >= armcost.GuestBase+1<<32 {
				t.Fatalf("%+v", msg)
			}
			if !msg.read && (read(os.Getpid(), msg.at, b) != nil || !bytes.Equal(b, msg.bytes)) {
				t.Fatalf("%q is not what is there: %q", msg.bytes, b)
			}
		}
	})
}

// recorder is a bus that writes down its transfers, and breaks at one with an address.
type recorder struct {
	said   []string
	breaks uint16
}

func (b *recorder) Tx(addr uint16, w, r []byte) error {
	b.said = append(b.said, fmt.Sprintf("%d:%dw%dr", addr, len(w), len(r)))
	if addr == b.breaks {
		return fmt.Errorf("bus: %w", unix.ETIMEDOUT)
	}
	copy(r, "answer")
	return nil
}

// TestWishes: messages become the fewest transfers, what is read comes into the program's memory, and errors to it.
func TestRequests(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 1)
	th := m.order[0]
	where := g.put(t, make([]byte, 8))
	w1, r1 := message{addr: 1, bytes: []byte{1}}, message{addr: 1, read: true, bytes: make([]byte, 6), at: where}
	w2, nowhere := message{addr: 2, bytes: []byte{1, 2}}, message{addr: 1, read: true, bytes: make([]byte, 2), at: 8}
	for _, row := range []struct {
		messages []message
		said     string
		want     answer
	}{
		{[]message{w1, r1}, "1:1w6r", handled(2, nil)},
		{[]message{r1, w1, w1, r1}, "1:0w6r 1:1w0r 1:1w6r", handled(4, nil)},
		{[]message{w1, w2}, "1:1w0r 2:2w0r", handled(0, unix.ETIMEDOUT)},
		{[]message{w2, r1, w1}, "2:2w0r", handled(0, unix.ETIMEDOUT)},
		{[]message{w1, nowhere}, "1:1w2r", handled(0, unix.EFAULT)},
	} {
		b := &recorder{breaks: 2}
		w := &request{m: m, t: th, call: th.call, bus: &bus{to: b}, messages: row.messages}
		th.block(wait{deadline: farAway, device: true})
		if err := w.done(w.transfer()); err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(b.said, " "); said != row.said || th.state != ready || th.reply != row.want {
			t.Errorf("%s, want %s: %+v, want %+v", said, row.said, th.reply, row.want)
		}
	}
	b := make([]byte, 6)
	if err := read(th.tid, where, b); err != nil || string(b) != "answer" {
		t.Errorf("%q, %v", b, err)
	}
	old := &request{m: m, t: th, call: th.call + 1, bus: &bus{to: &recorder{}}, messages: []message{r1}}
	th.block(wait{deadline: farAway, device: true})
	if err := old.done(nil); err != nil || th.state != blocked {
		t.Errorf("a request that was interrupted ends another's waiting: %v", err)
	}
	for err, want := range map[error]int32{
		nil: 7, errors.New("broken"): -int32(unix.EREMOTEIO), fmt.Errorf("%w", unix.ENXIO): -int32(unix.ENXIO), unix.Errno(0): -int32(unix.EREMOTEIO),
	} {
		if a := handled(7, err); a.value>>32 != 1 || int32(uint32(a.value)) != want || a.errno != 0 || !a.answered {
			t.Errorf("%v: %+v", err, a)
		}
	}
}
