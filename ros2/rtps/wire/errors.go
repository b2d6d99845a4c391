// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
)

// Errors of this package. They are returned wrapped with the values concerned; use errors.Is.
var (
	// errNotRTPS means that a datagram is not an RTPS message: shorter than the 20-byte header or without the magic. It
	// is not logged, since Cyclone DDS sends 1-byte datagrams to itself to wake threads.
	errNotRTPS = errors.New("not an RTPS message")
	// errVersion means that a message has an unsupported protocol version.
	errVersion = errors.New("unsupported RTPS version")
	// ErrTruncated means that a submessage exceeds the datagram. The rest of the datagram is ignored.
	ErrTruncated = errors.New("submessage exceeds the datagram")
	// errInvalid means that a submessage of a known kind violates a validity rule of DDSI-RTPS 8.3.7. The rest of the
	// datagram is ignored (8.3.4.1).
	errInvalid = errors.New("invalid submessage")
	// ErrParameterList means that a parameter list is malformed: no sentinel, or a length that exceeds the list or is
	// not a multiple of four.
	ErrParameterList = errors.New("malformed parameter list")
	// errParameter means that the value of a known parameter is malformed.
	errParameter = errors.New("malformed parameter")
	// errDuplicate means that a parameter that may occur only once occurs again.
	errDuplicate = errors.New("duplicate parameter")
	// errMustUnderstand means that a list has an unknown parameter whose id forbids ignoring it (9.6.2.2.1).
	errMustUnderstand = errors.New("unknown parameter must be understood")
	// errMissing means that a mandatory parameter is absent.
	errMissing = errors.New("mandatory parameter missing")
	// errLimit means that a value exceeds a limit of this package; see the Max constants.
	errLimit = errors.New("limit exceeded")
	// errEncapsulation means that the decoder does not support a payload's encapsulation.
	errEncapsulation = errors.New("unsupported encapsulation")
	// errLocator means that a locator is not usable as a UDP address.
	errLocator = errors.New("invalid locator")
)

// submessageError is the error of the submessage at which parsing of a datagram ended.
type submessageError struct {
	// ID is the kind of the submessage, 0 if its header is truncated.
	ID SubmessageID
	// Offset is the position of the submessage header in the datagram, bytes.
	Offset int
	// Err is the reason.
	Err error
}

// Error implements error.
func (e *submessageError) Error() string {
	return fmt.Sprintf("%v at byte %d: %v", e.ID, e.Offset, e.Err)
}

// Unwrap returns the reason.
func (e *submessageError) Unwrap() error { return e.Err }
