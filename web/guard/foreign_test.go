// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
)

// TestForeignFilesInsteadOfTokensOrACertificate: neither file is replaced by a new one.
func TestForeignFilesInsteadOfTokensOrACertificate(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, err := LoadTokens(path)
		return err
	}, filekind.JSON)
	filekindtest.Refused(t, func(path string) error {
		_, err := LoadCertificate(path, nil, time.Now())
		return err
	})
}
