// SPDX-License-Identifier: Apache-2.0

// Package record records topics of any ROS 2 network into rosbag2's files.
//
//	network ──► intake (one reader per class of publishers) ──► cache (chunks of messages) ──► sink (files, disk)
//
// A message is copied once, on the transport's goroutine, into the current chunk; the disk has its own goroutine and
// no caller waits for it. A chunk is written and synced after half a second at the latest, so a power cut costs at
// most a second; data that the disk can't take are kept up to the cache's size, then counted as lost. On a full disk
// the recorder logs that, completes its file and continues when there is space again.
//
// While nothing is being recorded a [Recorder] can keep the last seconds ([Config.PreRoll]) for a recording that
// starts, or for a snapshot. Messages of transient-local publishers, such as /tf_static, are also kept: a recording
// that starts later, and each file whose predecessors may be removed, begins with them.
package record
