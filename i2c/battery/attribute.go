// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// attribute is one sysfs file. If the file system supports reads at an offset, as the real one does, the file stays
// open and is read again from its beginning: the kernel measures again, and nothing is allocated here.
type attribute struct {
	fsys fs.FS
	name string
	file fs.File
	at   io.ReaderAt
	buf  [48]byte // longer than any number
}

// value reads the number.
func (a *attribute) value() (float64, error) {
	n, err := a.read()
	if err != nil {
		a.close()
		return 0, fmt.Errorf("%w: %s: %w", errRead, a.name, err)
	}
	if n == len(a.buf) {
		return 0, fmt.Errorf("%w: %s has more than %d bytes", errFormat, a.name, n-1)
	}
	v, err := parse(a.buf[:n])
	if err != nil {
		return 0, fmt.Errorf("%s: %w", a.name, err)
	}
	return v, nil
}

func (a *attribute) read() (int, error) {
	if a.file == nil {
		f, err := a.fsys.Open(a.name)
		if err != nil {
			return 0, err
		}
		a.file = f
		a.at, _ = f.(io.ReaderAt)
	}
	if a.at == nil {
		n, err := io.ReadFull(a.file, a.buf[:])
		a.close()
		return n, atEnd(err)
	}
	n, err := a.at.ReadAt(a.buf[:], 0)
	return n, atEnd(err)
}

// atEnd drops errors that only mean that the file is short.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// close closes the file; the next read opens it again. Nothing was written, so an error has no consequence.
func (a *attribute) close() {
	if a.file != nil {
		_ = a.file.Close()
	}
	a.file, a.at = nil, nil
}
