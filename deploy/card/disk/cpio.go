// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"fmt"
	"io"
)

// Entry is a file or a folder of an archive.
type Entry struct {
	Name string
	Mode uint32 // file type and permissions, as in stat: 0100755 a program, 040755 a folder
	Data []byte
}

// WriteCPIO writes an archive in the format that the kernel unpacks when it starts ("newc", the kernel's
// Documentation/driver-api/early-userspace/buffer-format.rst). The same entries result in the same bytes.
func WriteCPIO(w io.Writer, entries []Entry) error {
	for i, e := range append(entries, Entry{Name: "TRAILER!!!"}) {
		header := fmt.Sprintf("070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
			i+1, e.Mode, 0, 0, 1, 0, len(e.Data), 0, 0, 0, 0, len(e.Name)+1, 0)
		if err := padded(w, header+e.Name+"\x00"); err != nil {
			return err
		}
		if err := padded(w, string(e.Data)); err != nil {
			return err
		}
	}
	return nil
}

// padded writes s and zeros up to a multiple of four bytes.
func padded(w io.Writer, s string) error {
	_, err := io.WriteString(w, s+"\x00\x00\x00"[:(4-len(s)%4)%4])
	return err
}
