// SPDX-License-Identifier: Apache-2.0

// Package parts polls the optional parts of a robot and creates their topics while they are present.
//
// A [Slot] is one part with its times, its failures and its [Topics]; a [Scheduler] polls all parts on one bus. Package
// device implements the start-up of chips. The control cycle has priority: a part is polled when there is time before
// the next one, and a [Guard] limits a part that occupies the bus for too long. The package does not depend on ROS or
// on a chip.
package parts
