// SPDX-License-Identifier: Apache-2.0

package service

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// NotifySystemd reports a state to systemd, on the socket in NOTIFY_SOCKET, as sd_notify(3) does; without systemd it
// does nothing. It does not block: if the socket accepts nothing, because systemd hangs, it returns an error.
func NotifySystemd(state string) (err error) {
	name := os.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return nil
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("socket for systemd: %w", err)
	}
	defer func() { err = errors.Join(err, unix.Close(fd)) }()
	if err := unix.Sendto(fd, []byte(state), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, &unix.SockaddrUnix{Name: name}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
