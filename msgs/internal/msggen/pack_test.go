// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"testing"
)

// TestPackIsReproducible: equal files give equal bytes.
func TestPackIsReproducible(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a_msgs/msg/T.msg": "bool b\n", "a_msgs/srv/S.srv": "---\n", "a_msgs/action/A.action": "---\n---\n"})
	first, err := pack(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	again, err := pack(os.DirFS(root))
	if err != nil || !bytes.Equal(again, first) {
		t.Errorf("%x, then %x, %v", first, again, err)
	}
}
