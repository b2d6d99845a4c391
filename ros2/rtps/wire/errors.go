// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
)

// Errors of this package. They are returned wrapped, with the numbers; test
// with errors.Is.
var (
	// errNotRTPS is returned for a datagram that is no RTPS message: shorter
	// than the 20-byte header or without the magic. Cyclone DDS sends 1-byte
	// datagrams to itself to wake threads, so this is not worth a log line.
	errNotRTPS = errors.New("not an RTPS message")
	// errVersion is returned for a message of another major protocol version.
	errVersion = errors.New("unsupported RTPS version")
	// ErrTruncated says that a submessage header or its announced length does
	// not fit into the datagram. The rest of the datagram is lost.
	ErrTruncated = errors.New("submessage exceeds the datagram")
	// errInvalid says that a submessage of a known kind breaks a validity rule
	// of DDSI-RTPS 8.3.7. The rest of the datagram is lost (8.3.4.1).
	errInvalid = errors.New("invalid submessage")
	// ErrParameterList says that a parameter list is malformed: no sentinel, or a length that exceeds the list or is
	// not a multiple of four.
	ErrParameterList = errors.New("malformed parameter list")
	// errParameter says that the value of a known parameter does not parse.
	errParameter = errors.New("malformed parameter")
	// errDuplicate says that a parameter that may occur once occurs twice.
	errDuplicate = errors.New("duplicate parameter")
	// errMustUnderstand says that a list holds an unknown parameter which its
	// sender marked as one that must not be ignored (9.6.2.2.1).
	errMustUnderstand = errors.New("unknown parameter must be understood")
	// errMissing says that a mandatory parameter is absent.
	errMissing = errors.New("mandatory parameter missing")
	// errLimit says that something is larger than this package accepts; see
	// the Max constants.
	errLimit = errors.New("limit exceeded")
	// errEncapsulation says that a payload has an encapsulation that the
	// decoder at hand does not read.
	errEncapsulation = errors.New("unsupported encapsulation")
	// errLocator says that a locator is not usable as a UDP address.
	errLocator = errors.New("invalid locator")
)

// submessageError is the error of a submessage at which the parsing of a datagram ended.
type submessageError struct {
	// ID is the kind of the submessage, 0 if not even its header was there.
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
