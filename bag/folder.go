// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// Suffixes of the names of a bag's files. rosbag2 appends the last one to files that it compresses as a whole.
const (
	suffixMCAP   = ".mcap"
	suffixSQLite = ".db3"
	suffixZstd   = ".zstd"
)

// content is what a bag consists of, before its files are opened.
type content struct {
	path   string
	folder bool     // path is a folder, not a file
	names  []string // paths of the files to read, in their order
	suffix string   // of their names: suffixMCAP or suffixSQLite
	meta   *Metadata
	bad    error // why the metadata cannot be used; matches ErrMetadata

	listed   []string // names of the files in the metadata, relative to the folder
	missing  []string // those of them that do not exist
	unlisted []string // names of files that are read and are not in the metadata

	inList, lost map[string]bool // the names in listed and in missing: a list may have very many

	remarks []string // what the folder and its metadata have that is not read, one sentence for each
	damage  []string // files that cannot be read
}

// locate returns what a bag consists of. As in rosbag2, the metadata of a folder decide which of the storages is the bag;
// without metadata files of several storages are an error.
func locate(path string) (*content, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoBag, err)
	}
	c := &content{path: path, suffix: suffixMCAP, folder: info.IsDir()}
	if !c.folder {
		c.names = []string{path}
		if strings.HasSuffix(strings.TrimSuffix(path, suffixZstd), suffixSQLite) {
			c.suffix = suffixSQLite
		}
		return c, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoBag, err)
	}
	c.meta, err = ReadMetadata(path)
	switch {
	case errors.Is(err, ErrMetadata):
		c.bad = err
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case c.meta != nil && c.meta.Version >= 3 && c.meta.Paths == nil: // rosbag2 always writes it, near the end
		c.bad = fmt.Errorf("%w: %s ends early: it has no relative_file_paths", ErrMetadata, filepath.Join(path, MetadataFile))
	default:
		c.readList()
	}
	if c.bad != nil {
		c.meta, c.listed, c.missing, c.inList, c.lost = nil, nil, nil, nil, nil
	}
	return c, c.choose(entries)
}

// maxRemarks is the maximum number of remarks on the list of files in the metadata.
const maxRemarks = 20

// readList compares the list of files in the metadata with the folder.
func (c *content) readList() {
	if c.meta == nil {
		return
	}
	c.inList, c.lost = map[string]bool{}, map[string]bool{}
	remarks := 0
	remark := func(format string, p string) {
		if remarks++; remarks <= maxRemarks {
			c.remarks = append(c.remarks, fmt.Sprintf("%s names %q"+format, MetadataFile, p))
		}
	}
	defer func() {
		if remarks > maxRemarks {
			c.remarks = append(c.remarks, fmt.Sprintf("%s has %d more names that do not fit", MetadataFile, remarks-maxRemarks))
		}
	}()
	for _, p := range c.meta.Paths {
		name, exists := c.lookUp(p)
		switch {
		case name == "":
			remark(", which is not the name of a file", p)
			continue
		case !exists && !filepath.IsLocal(p):
			c.bad = fmt.Errorf("%w: %s names %q, which is outside of the folder and is not read", ErrMetadata, filepath.Join(c.path, MetadataFile), p)
			return
		case c.inList[name]:
			remark(" more than once: its messages are read once", p)
			continue
		case !filepath.IsLocal(p):
			remark(", which is outside of the folder: the file of that name in the folder is read", p)
		}
		c.listed, c.inList[name] = append(c.listed, name), true
		if !exists {
			c.missing, c.lost[name] = append(c.missing, name), true
		}
	}
}

// lookUp returns the name, relative to the folder, of a file in the list of the metadata. Up to version 3 the list has
// the folder's name before it, and some recorders wrote the full path; a file that was moved, or decompressed, is found by
// the last part of its name. The name is empty if the list has a folder, such as "..", instead.
func (c *content) lookUp(listed string) (name string, exists bool) {
	listed = filepath.Clean(filepath.FromSlash(listed))
	base := filepath.Base(listed)
	if base == "." || base == ".." || base == string(filepath.Separator) {
		return "", false
	}
	candidates := []string{base, strings.TrimSuffix(base, suffixZstd)}
	if filepath.IsLocal(listed) && base != listed {
		candidates = append([]string{listed}, candidates...)
	}
	for _, name := range candidates {
		if _, err := os.Lstat(filepath.Join(c.path, name)); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return name, true
		}
	}
	return base, false
}

// errMixed: a folder has files of several storages, and no metadata that name one of them.
var errMixed = errors.New("files of two storages")

// choose chooses the files to read among those of the metadata and of the folder.
func (c *content) choose(entries []os.DirEntry) error {
	byStorage, others := map[string][]string{}, map[string]bool{}
	add := func(name string) bool {
		suffix := filepath.Ext(strings.TrimSuffix(name, suffixZstd))
		if suffix != suffixMCAP && suffix != suffixSQLite {
			return false
		}
		byStorage[suffix] = append(byStorage[suffix], name)
		return true
	}
	for _, e := range entries {
		if !add(e.Name()) && !e.IsDir() {
			others[e.Name()] = true
		}
	}
	for _, name := range c.listed {
		switch top := filepath.Base(name) == name; {
		case c.lost[name]:
		case top && others[name], !top && !add(name):
			c.damage = append(c.damage, fmt.Sprintf("%s, which %s names, is not read: its name ends in neither %s nor %s",
				filepath.Join(c.path, name), MetadataFile, suffixMCAP, suffixSQLite))
		}
	}
	if len(byStorage) == 0 {
		lacks := ""
		if len(c.missing) > 0 {
			lacks = fmt.Sprintf("; %s missing, which %s names", sample(c.missing), MetadataFile)
		}
		return fmt.Errorf("%w: %s holds neither %s nor %s files%s%s", ErrNoBag, c.path, suffixMCAP, suffixSQLite, lacks, otherBag(c.path))
	}
	if err := c.chooseStorage(byStorage); err != nil {
		return err
	}
	for suffix, names := range byStorage {
		if suffix != c.suffix {
			c.remarks = append(c.remarks, fmt.Sprintf("%s not read: %s says that the files of the bag are %s; name a file itself to read it", sample(names), MetadataFile, c.suffix))
		}
	}
	c.takeFiles(byStorage[c.suffix])
	c.noteOthers(slices.Sorted(maps.Keys(others)))
	return nil
}

// chooseStorage decides which storage is the bag.
func (c *content) chooseStorage(byStorage map[string][]string) error {
	if c.meta != nil {
		wanted := map[string]string{StorageMCAP: suffixMCAP, StorageSQLite: suffixSQLite}[c.meta.Storage]
		for _, name := range c.listed {
			if suffix := filepath.Ext(strings.TrimSuffix(name, suffixZstd)); wanted == "" && byStorage[suffix] != nil {
				wanted = suffix
			}
		}
		if byStorage[wanted] != nil {
			c.suffix = wanted
			return nil
		}
	}
	if len(byStorage) == 1 {
		for c.suffix = range byStorage {
		}
		return nil
	}
	why := "there is no " + MetadataFile
	switch {
	case c.bad != nil:
		why = c.bad.Error()
	case c.meta != nil:
		why = fmt.Sprintf("%s is of storage %q", MetadataFile, c.meta.Storage)
	}
	return fmt.Errorf("%w: %w: %s holds %s and %s, and nothing says which of them is the bag (%s); name one of the files, or move those of the other storage into another folder",
		ErrNoBag, errMixed, c.path, list(byStorage[suffixMCAP]), list(byStorage[suffixSQLite]), why)
}

// takeFiles sets the files to read. A compressed file is not read: its decompressed copy is, if there is one.
func (c *content) takeFiles(names []string) {
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b)) })
	have := map[string]bool{}
	for _, name := range names {
		have[name] = true
	}
	packed := func(name string) bool { return strings.HasSuffix(name, suffixZstd) }
	all := !slices.ContainsFunc(names, func(n string) bool { return !packed(n) })
	for _, name := range names {
		path := filepath.Join(c.path, name)
		switch {
		case !packed(name) || all:
			c.names = append(c.names, path)
			if c.meta != nil && !c.inList[name] {
				c.unlisted = append(c.unlisted, name)
			}
		case have[strings.TrimSuffix(name, suffixZstd)]:
			c.remarks = append(c.remarks, fmt.Sprintf("%q is not read: %q is read instead, which has its name without %s", name, strings.TrimSuffix(name, suffixZstd), suffixZstd))
		default:
			c.damage = append(c.damage, fmt.Sprintf("%s is compressed as a whole and is not read; decompress it (zstd -d)", path))
		}
	}
	if n := len(c.missing); n > 0 && n < len(c.listed) {
		c.damage = append(c.damage, fmt.Sprintf("%s missing in the folder, but in %s: the messages in it are lost%s, unless it is copied into the folder",
			sample(c.missing), MetadataFile, lostIn(c.lost, c.meta)))
	} else if n > 0 {
		c.remarks = append(c.remarks, fmt.Sprintf("%s is of another bag: %s in it, %s in the folder", MetadataFile, sample(c.listed), sample(names)))
	}
}

// maxOthers is the maximum number of files of other names that are examined by their content.
const maxOthers = 1000

// noteOthers notes the files that have the content of a recording and are not read because of their names.
func (c *content) noteOthers(names []string) {
	for _, name := range names[:min(len(names), maxOthers)] {
		if name == MetadataFile || c.inList[name] || strings.Contains(name, suffixSQLite+"-") { // SQLite reads its log and index
			continue
		}
		switch kind, _, err := filekind.Of(filepath.Join(c.path, name)); {
		case err != nil:
		case kind == filekind.MCAP, kind == filekind.SQLite:
			c.remarks = append(c.remarks, fmt.Sprintf("%q is %s and is not read, because its name does not end in %s", name, kind, c.suffix))
		case kind == filekind.ROS1Bag, kind == filekind.LFSPointer:
			c.remarks = append(c.remarks, fmt.Sprintf("%q is %s and is not read", name, kind))
		}
	}
}

// relative returns the name of a file relative to the bag's folder, or the last part of the path of a file alone.
func (c *content) relative(name string) string {
	if rel, err := filepath.Rel(c.path, name); c.folder && err == nil {
		return rel
	}
	return filepath.Base(name)
}

// compressed reports whether the files were compressed as a whole.
func (c *content) compressed() bool {
	return slices.ContainsFunc(c.names, func(n string) bool { return strings.HasSuffix(n, suffixZstd) })
}

// open opens the files.
func (c *content) open() (b *Bag, err error) {
	b = &Bag{Path: c.path, Storage: StorageMCAP, Damage: c.damage, Remarks: c.remarks}
	switch {
	case c.compressed():
		err = fmt.Errorf("%w: %s; decompress the files (zstd -d) and take \"compression_mode\" out of its %s", ErrCompressed, c.path, MetadataFile)
	case c.suffix == suffixSQLite:
		err = b.openSQLite(c)
	default:
		err = b.openMCAP(c)
	}
	if err != nil {
		if len(c.names) == 1 {
			err = filekind.Explain(c.names[0], err, filekind.MCAP, filekind.SQLite)
		}
		return nil, err
	}
	b.complete(c.meta)
	return b, nil
}

// list names files, of many the first ones.
func list(names []string) string {
	const most = 3
	text := fmt.Sprintf("%q", names[0])
	for _, n := range names[1:min(len(names), most)] {
		text += fmt.Sprintf(", %q", n)
	}
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// sample names files as the subject of a sentence.
func sample(names []string) string {
	if len(names) == 1 {
		return list(names) + " is"
	}
	return list(names) + " are"
}

// lostIn says how many messages files have by the metadata, if these say it.
func lostIn(files map[string]bool, meta *Metadata) string {
	n := uint64(0)
	for _, f := range meta.Files {
		if files[filepath.Base(f.Path)] {
			n += f.Messages
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d)", n)
}

// otherBag says what a folder without files of a bag has instead: a recording of another program, or one in an archive.
func otherBag(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return ", it is empty"
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if _, err := os.Stat(filepath.Join(path, MetadataFile)); err == nil {
				return "; the bag is " + path
			}
			continue
		}
		if err := filekind.Explain(path, ErrNoBag, filekind.BagMetadata); err != ErrNoBag && e.Name() != MetadataFile { //nolint:errorlint // the same if it is not explained
			return ": " + strings.TrimSuffix(err.Error(), " ("+ErrNoBag.Error()+")")
		}
	}
	return ""
}

// number returns the running number in the name of a file, 12 for name_12.mcap; -1 without one.
func number(name string) int {
	base := strings.TrimSuffix(filepath.Base(name), suffixZstd)
	base = strings.TrimSuffix(base, filepath.Ext(base)) // a bag's name may contain dots
	n := -1
	if i := strings.LastIndexByte(base, '_'); i >= 0 {
		if _, err := fmt.Sscanf(base[i+1:], "%d", &n); err != nil {
			return -1
		}
	}
	return n
}
