// SPDX-License-Identifier: Apache-2.0

// Package record records topics of any ROS 2 network into rosbag2's files.
//
//	network ──► intake (one reader per class of publishers) ──► cache (chunks of messages) ──► sink (files, disk)
//
// A message is copied once, on the transport's goroutine, into the current chunk; a separate goroutine writes to the
// disk and no caller waits for it. A chunk is written and synced within half a second, so a power cut costs at most a
// second; data that wait for the disk are kept up to the cache's size, beyond it they are counted as lost. On a full
// disk the recorder logs that, completes its file and continues when there is space again.
//
// While nothing is recorded a [Recorder] can keep the last seconds ([Config.PreRoll]) for a recording that starts, or
// for a snapshot. Messages of transient-local publishers, such as /tf_static, are also kept: a recording that starts
// later, and each file whose predecessors may be removed, begins with them.
package record
