// SPDX-License-Identifier: Apache-2.0

// Command epuck-image performs the steps of scripts/image that a shell can't: it writes the partition table, the list
// of the blocks to be written, and the archive with the first program.
//
// epuck-image table FILE ID KIND:START:COUNT…    sectors; KIND is c (FAT) or 83 (Linux)
// epuck-image parts FILE                         prints KIND START COUNT of each partition
// epuck-image bmap FILE WHOLE… < dumpe2fs        partitions to be written completely; of the last one those
//
//	blocks that dumpe2fs does not list as free
//
// epuck-image initrd OUT INIT MODULE…            modules in the order in which they are loaded
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/deploy/card/disk"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "epuck-image:", err)
		os.Exit(1)
	}
}

// errUsage is returned for an invalid command line.
var errUsage = errors.New("usage: epuck-image table | parts | bmap | initrd ARGUMENT…")

// run executes the program.
func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) < 2 {
		return errUsage
	}
	file, rest := args[1], args[2:]
	switch args[0] {
	case "table":
		return writeTable(file, rest)
	case "parts":
		t, err := readTable(file)
		for _, p := range t.Parts {
			if p.Kind != 0 {
				fmt.Fprintf(out, "%x %d %d\n", p.Kind, p.Start, p.Count)
			}
		}
		return err
	case "bmap":
		return writeBmap(file, rest, in, out)
	case "initrd":
		return writeInitrd(file, rest)
	}
	return errUsage
}

// writeTable writes the partition table of an image.
func writeTable(file string, args []string) (err error) {
	if len(args) < 2 || len(args) > 5 {
		return errUsage
	}
	id, err := strconv.ParseUint(args[0], 16, 32)
	if err != nil {
		return fmt.Errorf("disk identifier: %w", err)
	}
	t := disk.Table{ID: uint32(id)}
	for i, part := range args[1:] {
		p := &t.Parts[i]
		if _, err := fmt.Sscanf(part+"|", "%x:%d:%d|", &p.Kind, &p.Start, &p.Count); err != nil {
			return fmt.Errorf("partition %q: %w", part, err)
		}
	}
	sector := make([]byte, disk.SectorSize)
	t.Put(sector)
	if _, err := disk.Parse(sector); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(sector, 0)
	return errors.Join(err, f.Close())
}

// readTable reads an image's partition table.
func readTable(file string) (disk.Table, error) {
	f, err := regular.Open(file)
	if err != nil {
		return disk.Table{}, err
	}
	defer func() { _ = f.Close() }()
	sector := make([]byte, disk.SectorSize)
	if _, err := io.ReadFull(f, sector); err != nil {
		return disk.Table{}, fmt.Errorf("%s: %w", file, err)
	}
	return disk.Parse(sector)
}

// writeBmap writes the bmap file: the table, the partitions in whole, and the used blocks of the last one.
func writeBmap(file string, whole []string, in io.Reader, out io.Writer) error {
	t, err := readTable(file)
	if err != nil {
		return err
	}
	for _, number := range whole {
		if i, err := strconv.Atoi(number); err != nil || i < 1 || i > len(t.Parts) || t.Parts[i-1].Kind == 0 {
			return fmt.Errorf("%s: no partition %q", file, number)
		}
	}
	extents := []disk.Extent{{Offset: 0, Length: disk.SectorSize}}
	last := 0
	for i, p := range t.Parts {
		if p.Kind != 0 {
			last = i
		}
		if slices.Contains(whole, strconv.Itoa(i+1)) {
			extents = append(extents, disk.Extent{Offset: int64(p.Start) * disk.SectorSize, Length: int64(p.Count) * disk.SectorSize})
		}
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	used, err := disk.Used(string(text))
	if err != nil {
		return err
	}
	for _, e := range used {
		e.Offset += int64(t.Parts[last].Start) * disk.SectorSize
		extents = append(extents, e)
	}
	f, err := regular.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	mapped, err := disk.Bmap(out, f, info.Size(), extents)
	fmt.Fprintf(os.Stderr, "epuck-image: %d bytes are to be written\n", mapped)
	return err
}

// maxProgram is the maximum size of a program or module, bytes.
const maxProgram = 256 << 20

// writeInitrd writes the archive with the first program and the modules that it loads.
func writeInitrd(file string, args []string) error {
	if len(args) < 1 {
		return errUsage
	}
	entries := []disk.Entry{{Name: "modules", Mode: 0o40755}, {Name: "dev", Mode: 0o40755}}
	for i, path := range args {
		data, err := regular.Read(path, maxProgram)
		if err != nil {
			return err
		}
		name, mode := "init", uint32(0o100755)
		if i > 0 {
			name, mode = fmt.Sprintf("modules/%02d-%s", i, filepath.Base(path)), 0o100644
		}
		entries = append(entries, disk.Entry{Name: name, Mode: mode, Data: data})
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(disk.WriteCPIO(f, entries), f.Close())
}
