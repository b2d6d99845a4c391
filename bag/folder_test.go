// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed returns a metadata.yaml of a storage that lists files.
func listed(version int, storage string, paths ...string) string {
	return fmt.Sprintf("rosbag2_bagfile_information: {version: %d, storage_identifier: %q, relative_file_paths: [%s], message_count: %d}",
		version, storage, strings.Join(paths, ", "), len(paths))
}

// folder makes a folder with files of the given names: metadata.yaml with the content, folders, and recordings of the kind
// of their suffix, of one message each.
func folder(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	must(t, os.Mkdir(dir, 0o700))
	for name, content := range files {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		if content != "" {
			must(t, os.WriteFile(path, []byte(content), 0o600))
			continue
		}
		writeRecording(t, path, filepath.Ext(name))
	}
	return dir
}

// TestEveryRecordingInAFolderIsReadOrNamed: files of two storages, compressed ones, and those that metadata.yaml lists
// in other places, or that do not exist.
func TestEveryRecordingInAFolderIsReadOrNamed(t *testing.T) {
	if !SQLite {
		t.Skip("without SQLite")
	}
	outside := filepath.Join(t.TempDir(), "y_0.mcap")
	writeRecording(t, outside, ".mcap")
	for name, c := range map[string]struct {
		files map[string]string
		read  string // names of the files that are read
		said  []string
		fails error // of Open; Inspect opens all but files of two storages
	}{
		"mcap by the metadata":          {map[string]string{"x_0.mcap": "", "x_0.db3": "", MetadataFile: listed(8, "mcap", "x_0.mcap")}, "x_0.mcap", []string{`"x_0.db3" is not read: metadata.yaml says that the files of the bag are .mcap`}, nil},
		"sqlite by the metadata":        {map[string]string{"x_0.mcap": "", "x_0.db3": "", MetadataFile: listed(5, "sqlite3", "x_0.db3")}, "x_0.db3", []string{`"x_0.mcap" is not read`}, nil},
		"by the list":                   {map[string]string{"x_0.mcap": "", "x_0.db3": "", MetadataFile: listed(5, "", "x_0.db3")}, "x_0.db3", []string{`"x_0.mcap" is not read`}, nil},
		"storage that is missing":       {map[string]string{"x_0.mcap": "", MetadataFile: listed(5, "sqlite3", "x_0.db3")}, "x_0.mcap", []string{`metadata.yaml is of another bag: "x_0.db3" is in it`}, nil},
		"two storages":                  {map[string]string{"x_0.mcap": "", "y_0.db3": ""}, "", []string{`"x_0.mcap" and "y_0.db3"`, "there is no metadata.yaml", "name one of the files"}, errMixed},
		"two storages, bad metadata":    {map[string]string{"x_0.mcap": "", "y_0.db3": "", MetadataFile: "\x00"}, "", []string{`"x_0.mcap" and "y_0.db3"`, "invalid bag metadata"}, errMixed},
		"two storages, another storage": {map[string]string{"x_0.mcap": "", "y_0.db3": "", MetadataFile: listed(8, "my_storage")}, "", []string{`metadata.yaml is of storage "my_storage"`}, errMixed},
		"decompressed":                  {map[string]string{"x_0.mcap": "", "x_0.mcap.zstd": "\x28\xb5\x2f\xfd"}, "x_0.mcap", []string{`"x_0.mcap.zstd" is not read: "x_0.mcap" is read instead`}, nil},
		"one is compressed":             {map[string]string{"x_0.mcap": "", "x_1.mcap.zstd": "\x28\xb5\x2f\xfd"}, "x_0.mcap", []string{"x_1.mcap.zstd is compressed as a whole and is not read; decompress it (zstd -d)"}, nil},
		"compressed in the list":        {map[string]string{"x_0.mcap": "", MetadataFile: listed(8, "mcap", "x_0.mcap.zstd")}, "x_0.mcap", nil, nil},
		"kept by recover":               {map[string]string{"x_0.mcap": "", "x_0.mcap.damaged": "\x89MCAP0\r\n"}, "x_0.mcap", []string{`"x_0.mcap.damaged" is an MCAP file and is not read, because its name does not end in .mcap`}, nil},
		"another name":                  {map[string]string{"x_0.mcap": "", "old.sqlite": "SQLite format 3\x00"}, "x_0.mcap", []string{`"old.sqlite" is an SQLite database and is not read`}, nil},
		"ROS 1":                         {map[string]string{"x_0.mcap": "", "x.bag": "#ROSBAG V2.0\n"}, "x_0.mcap", []string{`"x.bag" is a ROS 1 bag and is not read`}, nil},
		"notes":                         {map[string]string{"x_0.mcap": "", "notes.txt": "a tank", "map.pgm": "P5\n1 1\n"}, "x_0.mcap", nil, nil},
		"a log of SQLite":               {map[string]string{"x_0.db3": "", "x_0.db3-shm": "SQLite format 3\x00", "x_0.db3-journal": "x"}, "x_0.db3", nil, nil},
		"a missing file":                {map[string]string{"x_0.mcap": "", MetadataFile: listed(8, "mcap", "x_0.mcap", "x_1.mcap")}, "x_0.mcap", []string{`"x_1.mcap" is missing in the folder, but in metadata.yaml`}, nil},
		"all are missing":               {map[string]string{MetadataFile: listed(8, "mcap", "x_0.mcap", "x_1.mcap")}, "", []string{`"x_0.mcap", "x_1.mcap" are missing, which metadata.yaml names`}, ErrNoBag},
		"twice in the list":             {map[string]string{"x_0.mcap": "", MetadataFile: listed(8, "mcap", "x_0.mcap", "./x_0.mcap")}, "x_0.mcap", []string{`metadata.yaml names "./x_0.mcap" more than once: its messages are read once`}, nil},
		"with the folder's name":        {map[string]string{"x_0.db3": "", MetadataFile: listed(3, "sqlite3", "run/x_0.db3")}, "x_0.db3", nil, nil},
		"in a folder of the bag":        {map[string]string{"x_0.mcap": "", "more/x_1.mcap": "", MetadataFile: listed(8, "mcap", "x_0.mcap", "more/x_1.mcap")}, "more/x_1.mcap x_0.mcap", nil, nil},
		"full path of a copy":           {map[string]string{"y_0.mcap": "", MetadataFile: listed(8, "mcap", outside)}, "y_0.mcap", []string{outside, "is outside of the folder: the file of that name in the folder is read"}, nil},
		"full path":                     {map[string]string{"x_0.mcap": "", MetadataFile: listed(8, "mcap", "x_0.mcap", outside)}, "x_0.mcap", []string{"metadata.yaml names", outside, "is outside of the folder and is not read"}, ErrMetadata},
		"path to another folder":        {map[string]string{"x_0.mcap": "", MetadataFile: listed(8, "mcap", "x_0.mcap", "../y_0.mcap")}, "x_0.mcap", []string{`"../y_0.mcap", which is outside of the folder and is not read`}, ErrMetadata},
		"another suffix":                {map[string]string{"x_0.mcap": "", "x_1.bin": "\x89MCAP0\r\n", MetadataFile: listed(8, "mcap", "x_0.mcap", "x_1.bin")}, "x_0.mcap", []string{"x_1.bin, which metadata.yaml names, is not read: its name ends in neither .mcap nor .db3"}, nil},
		"no names of files":             {map[string]string{"x_0.mcap": "", MetadataFile: listed(8, "mcap", `"."`, `""`, "/", "..", "x_0.mcap")}, "x_0.mcap", []string{`metadata.yaml names ".", which is not the name of a file`, `names "", which`, `names "/", which`, `names "..", which`}, nil},
		"upper case":                    {map[string]string{"x_0.mcap": "", "X_1.MCAP": "\x89MCAP0\r\n"}, "x_0.mcap", []string{`"X_1.MCAP" is an MCAP file and is not read`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, c.files)
			b, err := Open(dir)
			if !errors.Is(err, c.fails) {
				t.Fatalf("%v, want %v", err, c.fails)
			}
			said := fmt.Sprint(err)
			if err == nil {
				said = strings.Join(slices.Concat(b.Remarks, b.Damage), "\n")
				must(t, b.Close())
			}
			inspected, remarks, bad := Inspect(dir)
			if (bad == nil) != (c.read != "") {
				t.Fatalf("inspected: %v", bad)
			}
			if bad == nil {
				if got := strings.Join(pathsOf(inspected), " "); got != c.read {
					t.Errorf("read %q, want %q", got, c.read)
				}
				if n := 2*strings.Count(c.read, ".db3") + len(strings.Fields(c.read)); int(inspected.Count()) != n { // 3 of each .db3
					t.Errorf("%d messages, want %d", inspected.Count(), n)
				}
				bad = errors.New(strings.Join(append(remarks, inspected.Damage...), "\n"))
				must(t, inspected.Close())
			}
			for _, want := range c.said {
				if !strings.Contains(said, want) || !strings.Contains(bad.Error(), want) {
					t.Errorf("%q; inspected: %v; want %q", said, bad, want)
				}
			}
			if len(c.said) == 0 && said != "" {
				t.Errorf("%q", said)
			}
		})
	}
}

// TestLongListsOfFiles: a list of very many files that do not exist, or of one again and again, is compared with the
// folder in one pass and named in few words. The comparison of each name with all others takes minutes.
func TestLongListsOfFiles(t *testing.T) {
	const n = 200_000 // each name costs two calls of the system
	missing, again := make([]string, n), make([]string, n)
	for i := range n {
		missing[i], again[i] = fmt.Sprintf("f%d.mcap", i), "x_0.mcap"
	}
	for name, c := range map[string]struct {
		paths []string
		want  string
	}{
		"missing": {append(missing, "x_0.mcap"), `"f0.mcap", "f1.mcap", "f2.mcap" and 199997 more are missing in the folder`},
		"again":   {again, fmt.Sprintf("metadata.yaml has %d more names that do not fit", n-1-maxRemarks)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"x_0.mcap": "", MetadataFile: listed(8, "mcap", "x_0.mcap")})
			found := &content{path: dir, folder: true, suffix: suffixMCAP, meta: &Metadata{Storage: StorageMCAP, Paths: c.paths}}
			for _, p := range c.paths {
				found.meta.Files = append(found.meta.Files, FileSpan{Path: p, Messages: 1})
			}
			found.readList()
			entries, err := os.ReadDir(dir)
			must(t, errors.Join(err, found.choose(entries)))
			said := slices.Concat(found.remarks, found.damage)
			if text := strings.Join(said, "\n"); len(said) > maxRemarks+1 || !strings.Contains(text, c.want) || len(found.names) != 1 {
				t.Errorf("%d sentences, %d files: %.500s", len(said), len(found.names), text)
			}
		})
	}
}

// pathsOf returns the names of a bag's files, sorted.
func pathsOf(b *Bag) (names []string) {
	for _, f := range b.Files() {
		names = append(names, filepath.ToSlash(f.Path))
	}
	slices.Sort(names)
	return names
}
