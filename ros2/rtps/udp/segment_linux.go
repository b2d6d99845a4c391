// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// segmentControl is the control message UDP_SEGMENT: the size of the datagrams that the kernel segments a message into.
// Its layout is that of the kernel's struct cmsghdr followed by a 16-bit number, padded (CMSG_SPACE).
type segmentControl struct {
	unix.Cmsghdr
	size uint16
	_    [unsafe.Sizeof(uintptr(0)) - 2]byte
}

func (c *segmentControl) set(size uint16) {
	c.Level, c.Type, c.size = unix.SOL_UDP, unix.UDP_SEGMENT, size
	c.SetLen(unix.CmsgLen(int(unsafe.Sizeof(c.size))))
}

// Limits of segmentation in the kernel.
const (
	maxSegments = 64 // UDP_MAX_SEGMENTS of the kernels that have the fewest
	maxTrain    = maxUDPPayload
)

// gsoSegments returns how many datagrams, from the first on, may form one message: all to one destination and as long
// as the first; the last may be shorter.
func gsoSegments(list []Datagram) int {
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

// cannotSegment reports whether an error means that the kernel, or this destination's route or network card, does not
// support segmentation: unknown option, datagrams above the link's MTU, no checksums in hardware.
func cannotSegment(err unix.Errno) bool {
	switch err {
	case unix.EINVAL, unix.ENOPROTOOPT, unix.EIO, unix.EOPNOTSUPP, unix.EMSGSIZE:
		return true
	}
	return false
}

// sendError maps a full buffer to ErrBusy and returns other errors unchanged.
func sendError(err error) error {
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.ENOBUFS) {
		return ErrBusy
	}
	return err
}
