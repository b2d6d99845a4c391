// SPDX-License-Identifier: Apache-2.0

// Package core models the processor of a simulated robot whose programs are not run in an emulator. The work of the
// robot's node is charged to it, in simulated time: control cycles, messages sent and received, service calls,
// participants that join. Work that does not fit is late, as on a robot: control cycles are lost, commands are
// received late, and the battery is discharged.
//
// The costs are a constant for each callback, or those of package sim/armcost/tables, which were counted. The core
// does one thing at a time, in the order of waiting, a control cycle before callbacks of the same time; nothing is
// interrupted.
package core
