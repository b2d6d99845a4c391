// SPDX-License-Identifier: Apache-2.0

package vbattery

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// kind is the quantity of a file.
type kind uint8

const (
	raw kind = iota
	scale
	milli
)

// place is one file of the kernel.
type place struct {
	name    string
	what    kind
	channel Channel
}

// places are the files of a form. A folder of the real machine that is reached through a link appears under both names.
func (f Form) places() []place {
	switch f {
	case HWMon:
		const dir = "sys/bus/i2c/devices/3-0048/hwmon/hwmon1/"
		return []place{{dir + "in4_input", milli, Robot}, {dir + "in5_input", milli, Aux}}
	case HWMonOld:
		const dir = "sys/bus/i2c/drivers/ads1015/3-0048/"
		return []place{{dir + "in4_input", milli, Robot}, {dir + "in5_input", milli, Aux}}
	}
	var all []place
	for _, dir := range []string{
		"sys/bus/i2c/devices/1-0070/channel-0/11-0048/iio:device0/",
		"sys/bus/i2c/devices/11-0048/iio:device0/",
	} {
		all = append(all,
			place{dir + "in_voltage0_raw", raw, Robot}, place{dir + "in_voltage0_scale", scale, Robot},
			place{dir + "in_voltage1_raw", raw, Aux}, place{dir + "in_voltage1_scale", scale, Aux})
	}
	return all
}

// FS gives the part of the machine's file system that shows the battery. Files measure when they are read; they can be
// read at an offset, and again, as those of sysfs.
func (b *Battery) FS() fs.FS { return system{b, b.cfg.Form.places()} }

// system is the file system.
type system struct {
	b      *Battery
	places []place
}

// Open implements fs.FS.
func (s system) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	for _, p := range s.places {
		if p.name == name && s.b.shown(p) {
			return &file{b: s.b, place: p}, nil
		}
	}
	if entries := s.list(name); entries != nil || name == "." {
		return &folder{entry: entry{name: path.Base(name), dir: true}, list: entries}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// list gives what is in a folder, nothing if there is none of the name.
func (s system) list(dir string) []fs.DirEntry {
	var found []fs.DirEntry
	for _, p := range s.places {
		rest, ok := strings.CutPrefix(p.name, dir+"/")
		if dir == "." {
			rest, ok = p.name, true
		}
		if !ok || !s.b.shown(p) {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		e := entry{name: first, dir: deeper}
		if !slices.ContainsFunc(found, func(o fs.DirEntry) bool { return o.Name() == first }) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return found
}

// entry describes a file or folder. It is both a fs.DirEntry and a fs.FileInfo.
type entry struct {
	name string
	dir  bool
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }

// Size is that of the files of sysfs, not of what they hold.
func (e entry) Size() int64 {
	if e.dir {
		return 0
	}
	return 4096
}

func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// folder is an open folder.
type folder struct {
	entry
	list []fs.DirEntry
}

// Stat implements fs.File.
func (f *folder) Stat() (fs.FileInfo, error) { return f.entry, nil }

// Read implements fs.File.
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

// Close implements fs.File.
func (f *folder) Close() error { return nil }

// ReadDir implements fs.ReadDirFile.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.list)
	} else if len(f.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.list))
	head := f.list[:n:n]
	f.list = f.list[n:]
	return head, nil
}

// file is an open file; it measures when it is read from its beginning.
type file struct {
	b    *Battery
	text []byte
	at   int64
	place
}

// Stat implements fs.File.
func (f *file) Stat() (fs.FileInfo, error) { return entry{name: path.Base(f.name)}, nil }

// Close implements fs.File.
func (f *file) Close() error { return nil }

// Read implements fs.File.
func (f *file) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	f.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
	}
	if off == 0 {
		text, err := f.b.contents(f.place)
		if err != nil {
			return 0, &fs.PathError{Op: "read", Path: f.name, Err: err}
		}
		f.text = text
	}
	if off >= int64(len(f.text)) {
		return 0, io.EOF
	}
	n := copy(p, f.text[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
