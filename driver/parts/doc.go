// SPDX-License-Identifier: Apache-2.0

// Package parts polls the parts of a robot that may be missing, and has their topics offered while they are there.
//
// A [Slot] is one part with its times, its failures and its [Topics]; a [Roster] is all parts on one bus. The
// bringing-up itself is package device's. The control cycle goes first: a part is polled when there is time until the
// next one, and a [Guard] cuts off a part that holds the bus for too long. Nothing here knows ROS or a chip.
package parts
