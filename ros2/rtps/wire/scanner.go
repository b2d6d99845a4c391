// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// Scanner splits a datagram into its submessages without decoding them, for statistics and tests; for other purposes
// use a [Parser].
//
//	s := wire.NewScanner(datagram)
//	for s.Next() {
//		use(s.Submessage())
//	}
//	err := s.Err()
type Scanner struct {
	data []byte
	off  int
	sub  Submessage
	err  error
}

// NewScanner returns a Scanner for a datagram whose header the caller has checked with ParseHeader.
func NewScanner(datagram []byte) Scanner { return Scanner{data: datagram, off: HeaderSize} }

// Next advances to the next submessage. It returns false at the end of the
// datagram and at a submessage that does not fit into it; see Err.
func (s *Scanner) Next() bool {
	if s.err != nil || s.off >= len(s.data) {
		return false
	}
	left := s.data[s.off:]
	if len(left) < submessageHeaderSize {
		s.fail(0, len(left), submessageHeaderSize)
		return false
	}
	id, flags := SubmessageID(left[0]), Flags(left[1])
	n := int(flags.order().u16(left[2:]))
	body := left[submessageHeaderSize:]
	if n == 0 && id != subPad && id != subInfoTS {
		n = len(body) // 9.4.5.1.3: 0 means to the end of the message
	}
	if n > len(body) {
		s.fail(id, len(body), n)
		return false
	}
	s.sub = Submessage{ID: id, Flags: flags, Offset: s.off, Body: body[:n:n]}
	s.off += submessageHeaderSize + n
	return true
}

// Submessage returns the submessage Next advanced to.
func (s *Scanner) Submessage() Submessage { return s.sub }

// Err returns why Next stopped: nil at the end of the datagram, else a
// *submessageError that wraps ErrTruncated.
func (s *Scanner) Err() error { return s.err }

func (s *Scanner) fail(id SubmessageID, have, want int) {
	s.err = &submessageError{ID: id, Offset: s.off,
		Err: fmt.Errorf("%w: %d bytes of %d", ErrTruncated, have, want)}
}
