// SPDX-License-Identifier: Apache-2.0

// Package bag knows rosbag2's recordings: a folder of MCAP files with a metadata.yaml that lists their topics, each
// with the quality of service that its publishers offered.
//
// [Open] reads a folder or a single file, finished or not, and [Bag.Messages] gives its messages in order. Metadata is
// written in version 8 with quality of service as integers, which ROS 2 Humble to Jazzy all read; versions up to 9
// are read. Humble's sqlite3 bags have to be converted, see [ErrSQLite].
package bag
