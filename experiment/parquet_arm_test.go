// SPDX-License-Identifier: Apache-2.0

package experiment_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"
)

// parquetRows checks that there is no Parquet file.
func parquetRows(t *testing.T, path string, _ []string, _ [][]float64) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", path, err)
	}
}
