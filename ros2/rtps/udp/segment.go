// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// segmentControl is the control message UDP_SEGMENT: the size of the datagrams that the kernel is to cut a message
// into. Its layout is that of the kernel's struct cmsghdr with a 16-bit number behind it, padded (CMSG_SPACE).
type segmentControl struct {
	unix.Cmsghdr
	size uint16
	_    [unsafe.Sizeof(uintptr(0)) - 2]byte
}

func (c *segmentControl) set(size uint16) {
	c.Level, c.Type, c.size = unix.SOL_UDP, unix.UDP_SEGMENT, size
	c.SetLen(unix.CmsgLen(int(unsafe.Sizeof(c.size))))
}

// Limits of what the kernel cuts up.
const (
	maxSegments = 64 // UDP_MAX_SEGMENTS of the kernels that have the fewest
	maxTrain    = maxUDPPayload
)

// train returns how many datagrams from the first on may be one message: to one destination, all as long as the first,
// but the last, which may be shorter.
func train(list []Datagram) int {
	size, total := len(list[0].Data), len(list[0].Data)
	n := 1
	for n < len(list) && n < maxSegments {
		d := list[n]
		if d.To != list[0].To || len(d.Data) == 0 || len(d.Data) > size || total+len(d.Data) > maxTrain {
			break
		}
		total += len(d.Data)
		n++
		if len(d.Data) < size {
			break
		}
	}
	return n
}

// cannotSegment reports whether an error means that the kernel, or the route or the card of this destination, does not
// cut messages up: unknown option, datagrams larger than the link takes, no checksums in hardware.
func cannotSegment(err unix.Errno) bool {
	switch err {
	case unix.EINVAL, unix.ENOPROTOOPT, unix.EIO, unix.EOPNOTSUPP, unix.EMSGSIZE:
		return true
	}
	return false
}

// sendError tells a full buffer from other reasons not to send.
func sendError(err error) error {
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.ENOBUFS) {
		return ErrBusy
	}
	return err
}
