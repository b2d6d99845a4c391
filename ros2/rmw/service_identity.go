// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// identity identifies the request of a reply. Its encoding differs between implementations:
//
//   - rmw_fastrtps sends the identity with the payload, as the inline QoS
//     "related sample identity": in a request the GUID of the client's reply
//     reader and no number, in a reply the same GUID and the number of the
//     request's sample.
//   - rmw_cyclonedds puts 16 bytes before the fields: a random number of the
//     client and the client's number of the request; the reply repeats them.
//     The request writer and the reply reader of a client carry the same
//     "clientid" in their USER_DATA, the endpoints of a server "serviceid".
//
// For a request without any identity it is the number of its sample.
type identity struct {
	// related is the reply's related sample identity; zero for a request with Cyclone's header.
	related wire.SampleIdentity
	// header is Cyclone's header, if hasHeader.
	header    cycloneHeader
	hasHeader bool
	// writer is the writer of the sample.
	writer wire.GUID
}

// cycloneHeader is between the encapsulation header and the fields.
type cycloneHeader struct {
	client   uint64
	sequence int64
}

const (
	encapsulationSize = 4
	cycloneHeaderSize = 16
)

var errShortHeader = errors.New("too short for a request header")

// identify returns the identity of a request or reply of either mapping, and its payload without a header.
func identify(s *rtps.Sample) (identity, []byte, error) {
	id := identity{related: s.Related, writer: s.Writer}
	if !s.Related.IsZero() || s.Vendor != wire.VendorCyclone {
		return id, s.Payload, nil
	}
	if len(s.Payload) < encapsulationSize+cycloneHeaderSize {
		return id, nil, fmt.Errorf("%w: %d bytes", errShortHeader, len(s.Payload))
	}
	id.hasHeader = true
	words, order := s.Payload[encapsulationSize:], byteOrder(s.Payload)
	id.header = cycloneHeader{client: order.Uint64(words), sequence: int64(order.Uint64(words[8:]))}
	// 16 bytes are a multiple of every alignment, so removing them keeps the alignment of the fields.
	payload := append([]byte(nil), s.Payload[:encapsulationSize]...)
	return id, append(payload, words[cycloneHeaderSize:]...), nil
}

// insert returns the payload with the header before its fields.
func (h cycloneHeader) insert(payload []byte) []byte {
	order := byteOrder(payload)
	out := make([]byte, 0, len(payload)+cycloneHeaderSize)
	out = append(out, payload[:encapsulationSize]...)
	out = order.AppendUint64(out, h.client)
	out = order.AppendUint64(out, uint64(h.sequence))
	return append(out, payload[encapsulationSize:]...)
}

// byteOrder returns the byte order in the second byte of the encapsulation header.
func byteOrder(payload []byte) interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if payload[1]&1 == 0 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Keys of USER_DATA by which rmw_cyclonedds pairs the endpoints of a client, and
// of a server.
const (
	clientIDKey  = "clientid"
	serviceIDKey = "serviceid"
)

// newPairID returns a random identity in rmw_cyclonedds's text form: 16 numbers
// in hexadecimal without leading zeros, between dots, only the first one padded
// with a space.
func newPairID() string {
	var id [16]byte
	rand.Read(id[:])
	parts := make([]string, len(id))
	for i, b := range id {
		parts[i] = fmt.Sprintf("%x", b)
	}
	parts[0] = fmt.Sprintf("%2x", id[0])
	return strings.Join(parts, ".")
}

// newHandle returns a random number that identifies a client in Cyclone's header.
func newHandle() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// pairUserData returns the USER_DATA of an endpoint of a client or server.
func pairUserData(key, id, typeHash string) []byte {
	return appendUserData(appendUserData(nil, key, id), typeHashKey, typeHash)
}
