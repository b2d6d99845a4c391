// SPDX-License-Identifier: Apache-2.0

package filetree

import (
	"io/fs"
	"os"
	"testing"
)

func TestMakeFilesAndLinks(t *testing.T) {
	root := os.DirFS(Make(t, "dev/i2c-1=", "sys/a/name=pca9548 (a=b)\n", "sys/b -> a", "sys/gone -> ../nowhere"))
	for path, want := range map[string]string{"dev/i2c-1": "", "sys/a/name": "pca9548 (a=b)\n", "sys/b/name": "pca9548 (a=b)\n"} {
		if got, err := fs.ReadFile(root, path); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
		}
	}
	for path, want := range map[string]string{"sys/b": "a", "sys/gone": "../nowhere"} {
		if got, err := fs.ReadLink(root, path); err != nil || got != want {
			t.Errorf("%s leads to %q, %v; want %q", path, got, err, want)
		}
	}
}

func TestAddFailsWhereNothingCanBe(t *testing.T) {
	root := Make(t, "file=", "link -> file")
	for _, entry := range []string{"file/below=", "link -> elsewhere", "=", "\x00="} {
		if err := add(root, entry); err == nil {
			t.Errorf("%q could be made", entry)
		}
	}
}
