// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/deploy/vm"
)

// ownAddress is this computer's link-local address on the cable: where no network gives the robot an address it makes
// itself one of these (RFC 3927).
const ownAddress = "169.254.77.1"

// linkLocal gives the cable that address and no other: Cyclone DDS uses one of an interface's addresses, and the robot
// has no way to those of other networks.
func linkLocal() error {
	for _, line := range []string{
		"addr flush dev " + vm.CableTAP,
		"addr add " + ownAddress + "/16 dev " + vm.CableTAP,
		"route replace 239.0.0.0/8 dev " + vm.CableTAP,
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", line, err, out)
		}
	}
	return nil
}

// query is a question of multicast DNS for a name's IPv4 address, to be answered by unicast (RFC 6762, 5.4).
func query(name string) []byte {
	b := []byte{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}
	for label := range strings.SplitSeq(name, ".") {
		b = append(append(b, byte(len(label))), label...)
	}
	return append(b, 0, 0, 1, 0x80, 1)
}

var errNoAddress = errors.New("the answer has no IPv4 address")

// answered finds the first IPv4 address in an answer (RFC 1035, 4.1).
func answered(b []byte) (netip.Addr, error) {
	if len(b) < 12 || b[2]&0x80 == 0 {
		return netip.Addr{}, errNoAddress
	}
	questions, records := int(binary.BigEndian.Uint16(b[4:])), int(binary.BigEndian.Uint16(b[6:]))
	at := 12
	for range questions {
		if at = afterName(b, at) + 4; at > len(b) {
			return netip.Addr{}, errNoAddress
		}
	}
	for range records {
		if at = afterName(b, at); at+10 > len(b) {
			break
		}
		kind, length := binary.BigEndian.Uint16(b[at:]), int(binary.BigEndian.Uint16(b[at+8:]))
		if at += 10; at+length > len(b) {
			break
		}
		if kind == 1 && length == 4 {
			return netip.AddrFrom4([4]byte(b[at : at+4])), nil
		}
		at += length
	}
	return netip.Addr{}, errNoAddress
}

// afterName is where a name in a message ends; behind the message's end if it does not.
func afterName(b []byte, at int) int {
	for at < len(b) {
		switch n := int(b[at]); {
		case n == 0:
			return at + 1
		case n >= 0xC0:
			return at + 2
		default:
			at += 1 + n
		}
	}
	return len(b) + 1
}

// find asks for a machine on the cable until it answers.
func find(ctx context.Context, name string) (netip.Addr, error) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(ownAddress)})
	if err != nil {
		return netip.Addr{}, err
	}
	defer func() { _ = conn.Close() }()
	answer := make([]byte, 1500)
	for ctx.Err() == nil {
		if _, err := conn.WriteTo(query(name), &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: 5353}); err != nil {
			return netip.Addr{}, err
		}
		if err := conn.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
			return netip.Addr{}, err
		}
		if n, _, err := conn.ReadFrom(answer); err == nil {
			if addr, err := answered(answer[:n]); err == nil {
				return addr, nil
			}
		}
	}
	return netip.Addr{}, fmt.Errorf("%s does not answer: %w", name, ctx.Err())
}

// Questions and answers have RFC 1035's bytes; answers that are cut off or inconsistent are errors.
func TestAnswered(t *testing.T) {
	if got := string(query("a.local")); got != "\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x05local\x00\x00\x01\x80\x01" {
		t.Errorf("%q", got)
	}
	const name = "\x01a\x05local\x00"
	const record = "\x80\x01\x00\x00\x00\x78\x00"
	good := "\x00\x00\x84\x00\x00\x01\x00\x02\x00\x00\x00\x00" + name + "\x00\x01\x00\x01" +
		name + "\x00\x1c" + record + "\x02xx" + "\xc0\x0c\x00\x01" + record + "\x04\xa9\xfe\x01\x02"
	if got, err := answered([]byte(good)); err != nil || got.String() != "169.254.1.2" {
		t.Errorf("%v, %v", got, err)
	}
	for n := range len(good) {
		if got, err := answered([]byte(good[:n])); !errors.Is(err, errNoAddress) {
			t.Errorf("the first %d bytes: %v, %v", n, got, err)
		}
	}
	if got, err := answered(query("a.local")); !errors.Is(err, errNoAddress) {
		t.Errorf("a question: %v, %v", got, err)
	}
}
