// SPDX-License-Identifier: Apache-2.0

// Package bag reads and writes rosbag2's recordings: a folder of MCAP files with a metadata.yaml that lists their
// topics, each with the quality of service that its publishers offered.
//
// [Open] reads a folder or a single file, complete or not, and [Bag.Messages] returns its messages in order, each with the
// [Topic] that has the definition of its own file. What is not read is in [Bag.Damage] and [Bag.Remarks]. Metadata
// is written in version 8 with quality of service as integers, which ROS 2 Humble to Jazzy all read; versions up to 9
// are read. For Humble's sqlite3 bags see [ErrSQLite].
package bag
