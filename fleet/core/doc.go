// SPDX-License-Identifier: Apache-2.0

// Package core models the processor of a simulated robot whose programs are not run in an emulator. What the
// robot's node does is charged to it, in simulated time: control cycles, messages that it sends and receives, calls of
// its services, participants that come. What does not fit is late, as on a robot: control cycles are lost, commands
// heard late, and the battery pays.
//
// The prices are a constant for each callback, or those of package sim/armcost/tables, which were counted. One thing
// is done at a time, the one that has waited longest, a control cycle before what came with it, and nothing is
// interrupted.
package core
