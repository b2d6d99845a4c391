// SPDX-License-Identifier: Apache-2.0

package security

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
)

// TestForeignFilesInAKeystore: each file of an enclave is named as what it is.
func TestForeignFilesInAKeystore(t *testing.T) {
	for _, name := range []string{"cert.pem", "key.pem", "identity_ca.cert.pem", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s"} {
		keys := newClass(t)
		path := filepath.Join(keys, "enclaves", "epuck1", name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		filekindtest.Refused(t, func(given string) error {
			content, err := os.ReadFile(given)
			if err != nil {
				return err
			}
			if err := os.WriteFile(path, content, 0o600); err != nil {
				return err
			}
			_, _, err = Settings{Strategy: Enforce, Keystore: keys, Enclave: "/epuck1"}.Open(7, time.Now)
			if err != nil && !strings.Contains(err.Error(), path) {
				t.Errorf("%v does not name %s", err, path)
			}
			return err
		})
	}
}
