// SPDX-License-Identifier: Apache-2.0

package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChecksWhereAFileIsToBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		check func(string) error
		path  string
		want  error
		text  string
	}{
		"new file":                {File, filepath.Join(dir, "new"), nil, ""},
		"existing file":           {File, file, nil, ""},
		"device":                  {File, os.DevNull, nil, ""},
		"folder as file":          {File, dir, ErrFile, "it is a folder"},
		"no folder":               {File, filepath.Join(dir, "no", "x"), ErrFolder, "does not exist"},
		"file as folder":          {File, filepath.Join(file, "x"), ErrFolder, ""},
		"no name":                 {File, "", nil, ""},
		"file in a new folder":    {FileInFolder, filepath.Join(dir, "a", "b", "x"), nil, ""},
		"file in a folder":        {FileInFolder, file, nil, ""},
		"device in a folder":      {FileInFolder, os.DevNull, nil, ""},
		"folder as file in one":   {FileInFolder, dir, ErrFile, "it is a folder"},
		"file below a file":       {FileInFolder, filepath.Join(file, "a", "x"), ErrFolder, ""},
		"new folder":              {Folder, filepath.Join(dir, "a", "b", "c"), nil, ""},
		"existing folder":         {Folder, dir, nil, ""},
		"folder below a file":     {Folder, filepath.Join(file, "x", "y"), ErrFolder, ""},
		"folder that is a file":   {Folder, file, ErrFolder, "is a file"},
		"a device is no folder":   {Folder, filepath.Join(os.DevNull, "x"), ErrFolder, ""},
		"folder of a name alone":  {Folder, "calibrate-camera", nil, ""},
		"a list, one without end": {func(p string) error { return Files("", file, p) }, filepath.Join(dir, "no", "x"), ErrFolder, "no"},
	} {
		err := c.check(c.path)
		if !errors.Is(err, c.want) || c.want == nil && err != nil || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v and %q", name, err, c.want, c.text)
		}
	}
	left, err := os.ReadDir(dir)
	if text, failed := os.ReadFile(file); err != nil || failed != nil || len(left) != 1 || string(text) != "before" {
		t.Errorf("the checks left %v, %q (%v, %v)", left, text, err, failed)
	}
}
