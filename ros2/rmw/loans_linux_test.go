// SPDX-License-Identifier: Apache-2.0

//go:build system

package rmw

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const (
	loanedSize = 640 * 480 * 3
	loanLimit  = 2 * time.Minute
)

// loanedPair is a publisher of images on one transport and a loaned subscription on another.
type loanedPair struct {
	pub   *ros2.LoaningPublisher[sensor_msgs.Image]
	sub   *ros2.LoanedSubscription[sensor_msgs.Image]
	to    *Transport
	loans chan ros2.Loan[sensor_msgs.Image]
	limit <-chan time.Time // ends a failed test
}

func newLoanedPair(t *testing.T, domain uint32) *loanedPair {
	t.Helper()
	var transports [2]*Transport
	for i := range transports {
		tr, err := New(Config{DomainID: domain, Range: Localhost, SharedMemory: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tr.Close() }) // some tests have closed it
		transports[i] = tr
	}
	p := &loanedPair{to: transports[1], loans: make(chan ros2.Loan[sensor_msgs.Image], 64), limit: time.After(loanLimit)}
	qos := ros2.DefaultQoS()
	var err error
	p.sub, err = ros2.NewLoanedSubscription(newNode(t, transports[1], "listener", nil), "image", qos,
		func(l ros2.Loan[sensor_msgs.Image], _ ros2.MessageInfo) { p.loans <- l })
	if err != nil {
		t.Fatal(err)
	}
	matched := make(chan int, 10)
	p.pub, err = ros2.NewLoaningPublisher[sensor_msgs.Image](newNode(t, transports[0], "talker", nil), "image", qos,
		ros2.OnSubscribers(func(n int) { matched <- n }))
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-matched:
	case <-p.limit:
		t.Fatal("no match")
	}
	return p
}

// send publishes an image with all bytes of one value and returns the received loan.
func (p *loanedPair) send(t testing.TB, value byte) ros2.Loan[sensor_msgs.Image] {
	l := p.pub.Borrow()
	m := l.Message()
	if len(m.Data) != loanedSize {
		m.Data = make([]byte, loanedSize)
	}
	for i := range m.Data {
		m.Data[i] = value
	}
	m.Header.FrameID, m.Encoding, m.Height, m.Width, m.Step = "camera", "rgb8", 480, 640, 3*640
	if err := p.pub.Publish(&l); err != nil {
		t.Fatal(err)
	}
	select {
	case r := <-p.loans:
		return r
	case <-p.limit:
		t.Fatal("the image did not arrive")
	}
	panic("unreachable")
}

// isImage reports whether a received image is as it was sent.
func isImage(m *sensor_msgs.Image, value byte) bool {
	return len(m.Data) == loanedSize && bytes.Count(m.Data, []byte{value}) == loanedSize && m.Encoding == "rgb8" && m.Header.FrameID == "camera"
}

// address returns where the bytes of an image are.
func address(m *sensor_msgs.Image) uint64 {
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.Data))))
}

// mappedAs returns the mapping of a shared file with the bytes of an image, and its permissions, "" if there is none.
func mappedAs(t testing.TB, m *sensor_msgs.Image) (mode string, first, last uint64) {
	t.Helper()
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	at := address(m)
	for s := bufio.NewScanner(f); s.Scan(); {
		if _, err := fmt.Sscanf(s.Text(), "%x-%x %s", &first, &last, &mode); err == nil && first <= at && at < last && strings.Contains(s.Text(), "/epuck-rtps-") {
			return mode, first, last
		}
	}
	return "", 0, 0
}

// An image of another process is read where that has written it: its bytes are in the other's file, mapped for reading
// only. A subscription that returns no loan gets copies once a quarter of the memory is lent, all images remain as they
// are, and the publisher does not wait. Loans outlive the transport.
func TestLoansInSharedMemory(t *testing.T) {
	p := newLoanedPair(t, 227)
	var held []ros2.Loan[sensor_msgs.Image]
	inPlace := 0
	for i := range byte(24) {
		l := p.send(t, i)
		if !isImage(l.Message(), i) {
			t.Fatalf("image %d differs", i)
		}
		if mode, _, _ := mappedAs(t, l.Message()); mode == "r--s" {
			inPlace++
		} else if mode != "" {
			t.Errorf("mapped as %s", mode)
		}
		held = append(held, l)
	}
	if inPlace != 4 {
		t.Errorf("%d of %d images are in shared memory, want 4: a quarter of it", inPlace, len(held))
	}
	if err := p.to.Close(); err != nil {
		t.Error(err)
	}
	for i := range held {
		if !isImage(held[i].Message(), byte(i)) {
			t.Errorf("image %d differs after the transport was closed", i)
		}
		held[i].Return()
	}
}

// A loan that is returned makes place for another one; in the steady state nothing is allocated, from Borrow to Return,
// and all images are in shared memory.
func TestLoansInSharedMemoryDoNotAllocate(t *testing.T) {
	p := newLoanedPair(t, 226)
	value, copied := byte(0), 0
	var first, last uint64 // where the publisher's memory is mapped
	step := func() {
		value++
		l := p.send(t, value)
		if m := l.Message(); m.Data[0] != value || m.Data[loanedSize-1] != value {
			t.Fatal("the image differs")
		}
		if at := address(l.Message()); at < first || at >= last {
			copied++
		}
		l.Return()
	}
	for range 50 {
		step()
	}
	l := p.send(t, 1)
	var mode string
	if mode, first, last = mappedAs(t, l.Message()); mode != "r--s" {
		t.Errorf("mapped as %q", mode)
	}
	l.Return()
	copied = 0
	if n := testing.AllocsPerRun(200, step); n != 0 {
		t.Errorf("%v allocations an image, want 0", n)
	}
	if copied > 0 {
		t.Errorf("%d images were copied", copied)
	}
}
