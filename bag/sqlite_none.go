// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || nosqlite

package bag

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

const hasSQLite = false

// openSQLite returns an error that explains where such a bag can be read and how to convert it.
func (b *Bag) openSQLite(c *content) error {
	dir := filepath.Dir(c.names[0])
	none := fmt.Errorf("%w, which this program reads on a PC (amd64) when it is built without the tag nosqlite (make build, the packages); or convert it where ROS 2 is: "+
		"write \"output_bags: [{uri: %s_mcap, storage_id: mcap, all: true}]\" into out.yaml, then ros2 bag convert -i %s -o out.yaml", ErrSQLite, dir, dir)
	var other []error // files that no program with SQLite can read either
	for _, name := range c.names {
		if err := filekind.Explain(name, none, filekind.SQLite); err != none { //nolint:errorlint // the same if it is not explained
			other = append(other, err)
		}
	}
	if len(other) > 0 {
		return errors.Join(other...)
	}
	return none
}
