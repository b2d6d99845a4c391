// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"encoding/binary"
	"fmt"
)

// clientMessage is a message that a client publishes.
type clientMessage struct {
	channel uint32
	payload []byte
}

// serviceRequest is a call of a service.
type serviceRequest struct {
	service, call uint32
	encoding      string
	payload       []byte
}

// maxEncoding bounds the name of an encoding, in bytes.
const maxEncoding = 32

// parseBinary reads a binary message of a client: a *clientMessage, a *serviceRequest, which share data, or a
// *playbackRequest.
func parseBinary(data []byte) (any, error) {
	if len(data) == 0 {
		return nil, fmt.Errorf("%w: empty", ErrMessage)
	}
	body := data[1:]
	switch data[0] {
	case opClientMessage:
		if len(body) < 4 {
			return nil, fmt.Errorf("%w: message of %d bytes", ErrMessage, len(data))
		}
		return &clientMessage{channel: binary.LittleEndian.Uint32(body), payload: body[4:]}, nil
	case opServiceRequest:
		if len(body) < 12 {
			return nil, fmt.Errorf("%w: service request of %d bytes", ErrMessage, len(data))
		}
		n := binary.LittleEndian.Uint32(body[8:])
		if n > maxEncoding || int(n) > len(body)-12 {
			return nil, fmt.Errorf("%w: service request whose encoding has %d bytes", ErrMessage, n)
		}
		return &serviceRequest{
			service: binary.LittleEndian.Uint32(body), call: binary.LittleEndian.Uint32(body[4:]),
			encoding: string(body[12 : 12+n]), payload: body[12+n:],
		}, nil
	}
	if data[0] == opPlayback {
		m, err := parsePlayback(body)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	return nil, fmt.Errorf("%w: opcode %d", ErrMessage, data[0])
}

// messageHead encodes the head of a message, which the CDR data follow.
func messageHead(subscription uint32, logTime uint64) []byte {
	head := make([]byte, 0, 13)
	head = binary.LittleEndian.AppendUint32(append(head, opMessage), subscription)
	return binary.LittleEndian.AppendUint64(head, logTime)
}

// timeFrame encodes a simulated time, in ns.
func timeFrame(ns uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{opTime}, ns) }

// serviceHead encodes the head of a service's response.
func serviceHead(service, call uint32, encoding string) []byte {
	head := binary.LittleEndian.AppendUint32([]byte{opServiceResponse}, service)
	head = binary.LittleEndian.AppendUint32(head, call)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(encoding)))
	return append(head, encoding...)
}

// assetHead encodes the head of the response to fetchAsset; with an error's text, if there is one, it is all of it.
func assetHead(request uint32, failure string) []byte {
	head := binary.LittleEndian.AppendUint32([]byte{opAsset}, request)
	status := byte(0)
	if failure != "" {
		status = 1
	}
	head = binary.LittleEndian.AppendUint32(append(head, status), uint32(len(failure)))
	return append(head, failure...)
}
