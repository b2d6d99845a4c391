// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// hungFolder is a folder on a file system that answers nothing, as one of a server that is gone. It is made of an empty
// folder by hang, in a mount namespace.
type hungFolder struct {
	dir string
	fd  int // of the kernel's FUSE connection
}

func (h *hungFolder) hang(t *testing.T) {
	t.Helper()
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		t.Skip("this kernel has no FUSE")
	}
	if err != nil {
		t.Fatal(err)
	}
	h.fd = fd
	t.Cleanup(func() { _ = unix.Close(fd) }) // what waits for the file system gets an error
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)
	if err := unix.Mount("hung", h.dir, "fuse", unix.MS_NODEV|unix.MS_NOSUID, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(h.dir, unix.MNT_DETACH) })
	h.await(t) // FUSE_INIT
	request := make([]byte, 1<<16)
	if n, err := unix.Read(fd, request); err != nil || n < 40 {
		t.Fatalf("%d bytes: %v", n, err)
	}
	reply := make([]byte, 80)
	binary.NativeEndian.PutUint32(reply, uint32(len(reply)))
	copy(reply[8:16], request[8:16]) // its number
	binary.NativeEndian.PutUint32(reply[16:], 7)
	binary.NativeEndian.PutUint32(reply[20:], 31) // of the protocol
	binary.NativeEndian.PutUint32(reply[36:], 4096)
	if _, err := unix.Write(fd, reply); err != nil {
		t.Fatal(err)
	}
}

// await waits for a program to ask something of the file system, which then waits for the answer. A question that was
// read could not be taken back any more, not even by the end of the program.
func (h *hungFolder) await(t *testing.T) {
	t.Helper()
	list := []unix.PollFd{{Fd: int32(h.fd), Events: unix.POLLIN}}
	for end := time.Now().Add(hopeless); ; {
		n, err := unix.Poll(list, int(time.Until(end).Milliseconds()))
		switch {
		case n == 1 && err == nil:
			return
		case !errors.Is(err, unix.EINTR):
			t.Fatalf("nothing is asked of the file system: %v", err)
		}
	}
}

// calibrationCall asks the driver to store a calibration of its camera.
const calibrationCall = `{camera_info: {width: 640, height: 480, distortion_model: plumb_bob, d: [0, 0, 0, 0, 0],
 k: [600, 0, 320, 0, 600, 240, 0, 0, 1], r: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [600, 0, 320, 0, 0, 600, 240, 0, 0, 0, 1, 0]}}`

// A handler of a service that does not come back, because the file system that a calibration goes to hangs. It keeps
// callbacks from being called, commands too: the wheels stop by themselves. The program ends on SIGTERM.
func TestHandlerThatHangs(t *testing.T) {
	if !again(t, syscall.CLONE_NEWNS) {
		return
	}
	for _, c := range []struct{ name, timeout string }{{"the commander is killed", "0.5"}, {"the program is terminated", "0.0"}} {
		t.Run(c.name, func(t *testing.T) {
			h := &hungFolder{dir: t.TempDir()}
			p := prepare(t, "--ros-args", "-p", "camera.camera_info_url:=file://"+h.dir+"/camera.yaml", "-p", "cmd_vel_timeout:="+c.timeout)
			commander := p.start()
			h.hang(t)
			caller := p.command("service", "call", "set_camera_info", "sensor_msgs/srv/SetCameraInfo", calibrationCall)
			if err := caller.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = caller.Process.Kill()
				_ = caller.Wait()
			})
			h.await(t) // the handler is there
			if c.timeout != "0.0" {
				if err := commander.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				p.wantStopped()
			}
			p.signal(syscall.SIGTERM)
			if status := p.wantEnd(); status == frame.ExitOK {
				t.Error("it claims an orderly end")
			}
		})
	}
}
