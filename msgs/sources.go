// SPDX-License-Identifier: Apache-2.0

package msgs

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	_ "embed" // of the sources
	"io"
	"io/fs"
	"sync"
)

//go:embed sources.zip.gz
var packed []byte

// Sources returns the files of the definitions, with their comments: "std_msgs/msg/Header.msg". They are those of ROS 2
// Humble, without the layouts of other releases. They are decompressed when the first one is opened.
func Sources() fs.FS {
	return sources{sync.OnceValues(func() (*zip.Reader, error) { return unpack(packed) })}
}

// sources are the files of an archive.
type sources struct{ archive func() (*zip.Reader, error) }

// Open implements [fs.FS].
func (s sources) Open(name string) (fs.File, error) {
	archive, err := s.archive()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return archive.Open(name)
}

// unpack returns the files of an archive that is compressed as a whole.
func unpack(data []byte) (*zip.Reader, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	archive, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
}
