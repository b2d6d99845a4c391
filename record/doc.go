// SPDX-License-Identifier: Apache-2.0

// Package record records topics of any ROS 2 network into rosbag2's files.
//
//	network ──► intake (one reader per class of publishers) ──► cache (chunks of messages) ──► sink (files, disk)
//
// A message is copied once, on the transport's goroutine, into the chunk that is being filled; the disk has a
// goroutine of its own and no caller waits for it. A chunk is written and synced after half a second at the latest, so
// a power cut costs a second at most, and what the disk can't take is held up to the cache's size, then counted as
// lost. On a full disk the recorder says so, completes its file and goes on when there is room.
//
// While nothing is being recorded a [Recorder] can keep the last seconds ([Config.PreRoll]) for a recording that
// starts, or for a snapshot. Messages of publishers that are transient local, such as /tf_static, are kept besides: a
// recording that starts later, and each file whose predecessors may be removed, begins with them.
package record
