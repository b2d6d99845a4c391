// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// receiver is what a socket needs for receiving. It waits for two events, a datagram's and the end's: so close need not
// close a socket that a system call is using, whose handle may be another file's by then.
type receiver struct {
	handle  windows.Handle // the socket's
	buffer  []byte
	from    windows.RawSockaddrInet4
	arrived windows.Handle // event: the socket may have a datagram
	ended   windows.Handle // event: close was called
	running sync.Mutex     // locked while receive runs
}

// receiveOn prepares a socket for receiving; the number of messages per system call is 1 here.
func (s *socket) receiveOn(receiveBuffer, _ int) error {
	if receiveBuffer > 0 {
		err := windows.SetsockoptInt(s.handle, windows.SOL_SOCKET, windows.SO_RCVBUF, receiveBuffer)
		if err != nil {
			return os.NewSyscallError("setsockopt", err)
		}
	}
	arrived, err := windows.CreateEvent(nil, 0, 0, nil)
	if err != nil {
		return os.NewSyscallError("CreateEvent", err)
	}
	ended, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return errors.Join(os.NewSyscallError("CreateEvent", err), windows.CloseHandle(arrived))
	}
	s.in = &receiver{handle: s.handle, buffer: make([]byte, 1<<16), arrived: arrived, ended: ended}
	return selectRead(s.handle, arrived) // after an error close frees both events
}

// close ends receive and waits for its end.
func (r *receiver) close() error {
	err := os.NewSyscallError("SetEvent", windows.SetEvent(r.ended))
	r.running.Lock()
	defer r.running.Unlock()
	return errors.Join(err, windows.CloseHandle(r.arrived), windows.CloseHandle(r.ended))
}

// receive reads datagrams until the socket is closed, when it returns nil, or lost. Single errors concern earlier
// datagrams (ICMP) and are ignored.
func (s *socket) receive(handle func([]byte, netip.AddrPort)) error {
	r := s.in
	r.running.Lock()
	defer r.running.Unlock()
	for failures := 0; !s.closed.Load(); {
		n, from, err := r.read()
		switch {
		case err == nil:
			failures = 0
			handle(r.buffer[:n], from)
			continue
		case errors.Is(err, windows.WSAEWOULDBLOCK):
			if err = r.wait(); err == nil {
				continue
			}
		}
		failures++
		if err := s.failed(failures, err); err != nil {
			return err
		}
	}
	return nil
}

// wait waits for a datagram or the end.
func (r *receiver) wait() error {
	_, err := windows.WaitForMultipleObjects([]windows.Handle{r.ended, r.arrived}, false, windows.INFINITE)
	return os.NewSyscallError("WaitForMultipleObjects", err)
}

// read reads one datagram into the buffer, or returns WSAEWOULDBLOCK.
func (r *receiver) read() (int, netip.AddrPort, error) {
	buffer := windows.WSABuf{Len: uint32(len(r.buffer)), Buf: unsafe.SliceData(r.buffer)}
	n, flags, size := uint32(0), uint32(0), int32(unsafe.Sizeof(r.from))
	err := windows.WSARecvFrom(r.handle, &buffer, 1, &n, &flags, (*windows.RawSockaddrAny)(unsafe.Pointer(&r.from)), &size, nil, nil)
	if err != nil {
		return 0, netip.AddrPort{}, err
	}
	port := binary.BigEndian.Uint16((*[2]byte)(unsafe.Pointer(&r.from.Port))[:])
	return int(n), netip.AddrPortFrom(netip.AddrFrom4(r.from.Addr), port), nil
}
