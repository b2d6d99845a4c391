// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"path/filepath"
)

// ErrSQLite is matched by a bag of ROS 2 Humble's default kind, which this program does not read.
var ErrSQLite = errors.New("a bag in sqlite3 files")

// openSQLite says how such a bag is converted.
func (b *Bag) openSQLite(names []string) error {
	dir := filepath.Dir(names[0])
	return fmt.Errorf("%w, which can be converted where ROS 2 is: write \"output_bags: [{uri: %s_mcap, storage_id: mcap, all: true}]\" "+
		"into out.yaml, then ros2 bag convert -i %s -o out.yaml", ErrSQLite, dir, dir)
}
