// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// Inspect opens a bag as [Open] does, also one whose metadata can't be read, and returns what its metadata and its files
// do not have in common, one sentence for each: files that are missing, files that are not listed, other numbers.
func Inspect(path string) (b *Bag, remarks []string, err error) {
	names, meta, err := find(path)
	if bad := err; errors.Is(bad, ErrMetadata) {
		remarks, meta, err = append(remarks, fmt.Sprintf("%v; what follows is what the files have; epuck-driver bag recover writes it again", bad)), nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if b, err = open(path, names, meta); err != nil {
		if len(names) == 1 {
			err = filekind.Explain(names[0], err, filekind.MCAP, filekind.SQLite)
		}
		return nil, nil, err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return b, nil, nil //nolint:nilerr // a file alone has no metadata
	}
	switch {
	case meta != nil:
		remarks = b.differences(names, meta)
	case len(remarks) == 0:
		remarks = []string{"there is no " + MetadataFile + ", without which ros2 bag reads no folder; nothing is lost by that"}
	}
	return b, remarks, nil
}

// differences compares metadata with the files of a folder.
func (b *Bag) differences(names []string, meta *Metadata) (remarks []string) {
	var here, listed []string
	for _, n := range names {
		here = append(here, filepath.Base(n))
	}
	for _, p := range meta.Paths {
		listed = append(listed, filepath.Base(p))
	}
	missing := slices.DeleteFunc(slices.Clone(listed), func(n string) bool { return slices.Contains(here, n) })
	more := slices.DeleteFunc(slices.Clone(here), func(n string) bool { return slices.Contains(listed, n) })
	if len(missing) == len(listed) && len(listed) > 0 {
		return []string{fmt.Sprintf("%s is of another bag: %s in it, %s in the folder", MetadataFile, sample(listed), sample(here))}
	}
	if len(missing) > 0 {
		remarks = append(remarks, fmt.Sprintf("%s missing in the folder, but in %s: the messages in it are lost%s, unless it is copied into the folder",
			sample(missing), MetadataFile, lostIn(missing, meta)))
	}
	if len(more) > 0 {
		remarks = append(remarks, fmt.Sprintf("%s not in %s: ros2 bag does not play it", sample(more), MetadataFile))
	}
	if n := b.Count(); len(remarks) == 0 && len(b.Interrupted)+len(b.Damage) == 0 && n != meta.Messages {
		remarks = append(remarks, fmt.Sprintf("%s counts %d messages, the files have %d", MetadataFile, meta.Messages, n))
	}
	return remarks
}

// lostIn says how many messages files have by the metadata, if these say it.
func lostIn(files []string, meta *Metadata) string {
	n := uint64(0)
	for _, f := range meta.Files {
		if slices.Contains(files, filepath.Base(f.Path)) {
			n += f.Messages
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d)", n)
}

// sample names files, of many the first ones, as the subject of a sentence.
func sample(names []string) string {
	const most = 3
	text := fmt.Sprintf("%q", names[0])
	for _, n := range names[1:min(len(names), most)] {
		text += fmt.Sprintf(", %q", n)
	}
	verb := " is"
	if len(names) > 1 {
		verb = " are"
	}
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text + verb
}
