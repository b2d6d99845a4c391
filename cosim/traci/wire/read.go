// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// ReadMessage reads a message and returns its commands' bytes. It takes no more memory than has arrived. Its errors are
// io.EOF at the end, [ErrLength], [ErrShort], or the reader's.
func ReadMessage(r io.Reader) ([]byte, error) {
	var head [lengthBytes]byte
	if n, err := io.ReadFull(r, head[:]); err == io.EOF && n == 0 {
		return nil, io.EOF
	} else if err != nil {
		return nil, cut(err)
	}
	length := int32(binary.BigEndian.Uint32(head[:]))
	if length < lengthBytes || length > maxMessage {
		return nil, fmt.Errorf("%w: a message of %d bytes, must be %d to %d", ErrLength, length, lengthBytes, maxMessage)
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(length)-lengthBytes); err != nil {
		return nil, cut(err)
	}
	return b.Bytes(), nil
}

// cut makes an early end an error of this package.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the connection ended within a message", ErrShort)
	}
	return err
}

// Next returns the first command of b and what follows it. Its errors are [ErrShort] and [ErrLength].
func Next(b []byte) (c Command, rest []byte, err error) {
	if len(b) < shortHead {
		return c, nil, fmt.Errorf("%w: %d bytes are no command", ErrShort, len(b))
	}
	length, head := int64(b[0]), shortHead
	if length == 0 {
		if head = longHead; len(b) < head {
			return c, nil, fmt.Errorf("%w: %d bytes are no long command", ErrShort, len(b))
		}
		length = int64(int32(binary.BigEndian.Uint32(b[1:])))
	}
	if length < int64(head) {
		return c, nil, fmt.Errorf("%w: a command of %d bytes", ErrLength, length)
	}
	if length > int64(len(b)) {
		return c, nil, fmt.Errorf("%w: a command of %d bytes in %d", ErrShort, length, len(b))
	}
	return Command{ID: b[head-1], Body: b[head:length]}, b[length:], nil
}

// Reader reads values. After an error all it reads is zero; Err returns the first.
type Reader struct {
	b   []byte
	err error
}

// NewReader reads from b.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Err returns the first error: ErrShort, ErrLength or ErrType.
func (r *Reader) Err() error { return r.err }

// Left returns how many bytes are left; 0 after an error.
func (r *Reader) Left() int { return len(r.b) }

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

// next returns the next n bytes, nil if there are fewer.
func (r *Reader) next(n int) []byte {
	if n > len(r.b) {
		r.fail(fmt.Errorf("%w: %d bytes of %d", ErrShort, len(r.b), n))
		return nil
	}
	p := r.b[:n]
	r.b = r.b[n:]
	return p
}

// Byte reads an unsigned byte.
func (r *Reader) Byte() byte {
	if p := r.next(1); p != nil {
		return p[0]
	}
	return 0
}

// Int reads an int32.
func (r *Reader) Int() int {
	if p := r.next(4); p != nil {
		return int(int32(binary.BigEndian.Uint32(p)))
	}
	return 0
}

// Double reads a double.
func (r *Reader) Double() float64 {
	if p := r.next(8); p != nil {
		return math.Float64frombits(binary.BigEndian.Uint64(p))
	}
	return 0
}

// count reads how many items of at least size bytes follow.
func (r *Reader) count(size int) int {
	n := r.Int()
	if n < 0 || n > len(r.b)/size {
		r.fail(fmt.Errorf("%w: %d items in %d bytes", ErrLength, n, len(r.b)))
		return 0
	}
	return n
}

// String reads a string.
func (r *Reader) String() string { return string(r.next(r.count(1))) }

// Strings reads a list of strings.
func (r *Reader) Strings() []string {
	n := r.count(lengthBytes)
	list := make([]string, 0, n)
	for range n {
		list = append(list, r.String())
	}
	return list
}
