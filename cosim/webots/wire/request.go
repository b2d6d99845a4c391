// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxRequest is the longest request that is read, bytes. Of what controllers send only sounds and long messages come
// near it.
const maxRequest = 16 << 20

// Request is what a controller wants.
type Request struct {
	// Step is how much time shall pass before the answer; 0 asks for an answer now.
	Step time.Duration
	// Parts is what it wants of single devices, in the order of their tags.
	Parts []Part
	// Bye reports that the controller ends. It has nothing else then.
	Bye bool
	// Unread is why its last parts can't be read; nil: all were.
	Unread error
}

// Part is what a controller wants of a device.
type Part struct {
	Tag  uint16 // the device's number, 0 the robot itself
	Body []byte // commands, see [Commands]
}

// ReadRequest reads one. The end of r before it is io.EOF, within it io.ErrUnexpectedEOF. It also fails if the length
// is impossible (the error names it): where the next one begins is not known then. Parts that can't be read are left
// out, see Request.Unread. Memory grows with what is received.
func ReadRequest(r io.Reader) (Request, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Request{}, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	switch {
	case n == 0:
		return Request{Bye: true}, nil
	case n < 8 || n > maxRequest:
		return Request{}, fmt.Errorf("%w: a request of %d bytes, must be 8 to %d", errSize, n, maxRequest)
	}
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, int64(n)-4); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Request{}, err
	}
	q, err := ParseRequest(body.Bytes())
	q.Unread = err
	return q, nil
}

// ParseRequest reads what is behind a request's length. Parts are pieces of b. It fails if b ends within the step or a
// part; the error says in which, and the request is what is before it.
func ParseRequest(b []byte) (Request, error) {
	if len(b) < 4 {
		return Request{}, fmt.Errorf("%w: a request without its step", errShort)
	}
	q := Request{Step: time.Duration(binary.LittleEndian.Uint32(b)) * time.Millisecond}
	for b = b[4:]; len(b) > 0; {
		if len(b) < 6 {
			return q, fmt.Errorf("%w: %d bytes of a part's head", errShort, len(b))
		}
		tag, n := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint32(b[2:])
		if b = b[6:]; uint64(n) > uint64(len(b)) {
			return q, fmt.Errorf("%w: part of device %d has %d of %d bytes", errShort, tag, len(b), n)
		}
		q.Parts = append(q.Parts, Part{tag, b[:n:n]})
		b = b[n:]
	}
	return q, nil
}

// AppendRequest appends a request as libController writes it.
func AppendRequest(b []byte, q Request) []byte {
	if q.Bye {
		return append(b, 0, 0, 0, 0)
	}
	begin := len(b)
	b = binary.LittleEndian.AppendUint32(append(b, 0, 0, 0, 0), uint32(q.Step/time.Millisecond))
	for _, p := range q.Parts {
		b = binary.LittleEndian.AppendUint16(b, p.Tag)
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(p.Body))), p.Body...)
	}
	binary.LittleEndian.PutUint32(b[begin:], uint32(len(b)-begin))
	return b
}
