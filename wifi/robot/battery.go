// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// The battery's converter as the kernel of a Pi-puck presents it: half of the voltage, in counts and millivolts per
// count.
const (
	batteryFolder = "sys/bus/i2c/devices/11-0048/iio:device0"
	batteryRaw    = batteryFolder + "/in_voltage0_raw"
	batteryScale  = batteryFolder + "/in_voltage0_scale"
)

// Files is a file system with the battery's voltage. It can be read while the robot is connected.
func (r *Robot) Files() fs.FS { return files{r} }

type files struct{ robot *Robot }

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	r := f.robot
	r.mu.Lock()
	raw, err := r.latest.Battery, r.trouble(r.cfg.Now())
	r.mu.Unlock()
	switch {
	case name == batteryRaw && err != nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	case name == batteryRaw:
		return newFile(name, fmt.Sprintln(raw)), nil
	case name == batteryScale:
		return newFile(name, fmt.Sprintln(500/packet.CountsPerVolt)), nil
	}
	for _, file := range []string{batteryRaw, batteryScale} {
		if name == "." || strings.HasPrefix(file, name+"/") {
			return newFolder(name), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// entry is a file or a folder.
type entry struct {
	name string
	dir  bool
	io.Reader
	list []fs.DirEntry
}

func newFile(name, text string) *entry {
	return &entry{name: path.Base(name), Reader: bytes.NewReader([]byte(text))}
}

// newFolder lists the contents of one of the parent folders.
func newFolder(name string) *entry {
	e := &entry{name: path.Base(name), dir: true, Reader: bytes.NewReader(nil)}
	for _, file := range []string{batteryRaw, batteryScale} {
		first, _, deeper := strings.Cut(strings.TrimPrefix(file, strings.TrimPrefix(name+"/", "./")), "/")
		child := &entry{name: first, dir: deeper}
		if !slices.ContainsFunc(e.list, func(o fs.DirEntry) bool { return o.Name() == first }) {
			e.list = append(e.list, fs.FileInfoToDirEntry(child))
		}
	}
	return e
}

func (e *entry) Name() string               { return e.name }
func (e *entry) IsDir() bool                { return e.dir }
func (e *entry) ModTime() time.Time         { return time.Time{} }
func (e *entry) Size() int64                { return 0 }
func (e *entry) Sys() any                   { return nil }
func (e *entry) Stat() (fs.FileInfo, error) { return e, nil }
func (e *entry) Close() error               { return nil }

func (e *entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// ReadDir implements fs.ReadDirFile; it returns the few entries at once.
func (e *entry) ReadDir(int) ([]fs.DirEntry, error) {
	list := e.list
	e.list = nil
	if list == nil {
		return nil, io.EOF
	}
	return list, nil
}
