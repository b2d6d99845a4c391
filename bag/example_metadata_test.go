// SPDX-License-Identifier: Apache-2.0

package bag_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// The metadata of a bag and the profiles in it, as rosbag2 writes them.
func ExampleParseMetadata() {
	qos, err := bag.EncodeQoS([]ros2.QoS{ros2.LatchedQoS()})
	if err != nil {
		fmt.Println(err)
		return
	}
	profiles, err := bag.DecodeQoS(qos)
	fmt.Println(len(profiles), profiles[0].Durability == ros2.TransientLocal, err)

	m, err := bag.ParseMetadata([]byte("rosbag2_bagfile_information: {version: 8, storage_identifier: sqlite3, message_count: 5}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Version, m.Storage == bag.StorageSQLite, m.Messages)
	_, err = bag.ParseMetadata([]byte("[]"))
	fmt.Println(errors.Is(err, bag.ErrMetadata))
	// Output:
	// 1 true <nil>
	// 8 true 5
	// true
}

// Bags that cannot be opened: rosbag2 has compressed the file as a whole, a sqlite3 file is invalid, or there is only
// the metadata. Programs without SQLite (SQLite is false) read no sqlite3 file.
func ExampleOpen_errors() {
	for _, c := range []struct {
		file string
		want error
	}{{"run_0.mcap.zstd", bag.ErrCompressed}, {"run_0.db3", bag.ErrSQLite}, {bag.MetadataFile, bag.ErrNoBag}} {
		dir, err := os.MkdirTemp("", "bag")
		if err != nil {
			fmt.Println(err)
			return
		}
		defer os.RemoveAll(dir)
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte("no bag"), 0o600); err != nil {
			fmt.Println(err)
			return
		}
		_, err = bag.Open(dir)
		fmt.Println(c.file, errors.Is(err, c.want), bag.SQLite && errors.Is(err, bag.ErrLarge))
	}
	// Output:
	// run_0.mcap.zstd true false
	// run_0.db3 true false
	// metadata.yaml true false
}
