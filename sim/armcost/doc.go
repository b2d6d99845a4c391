// SPDX-License-Identifier: Apache-2.0

// Package armcost says what an ARMv6 Linux program costs the robot's processor, without the robot: it runs the program
// under qemu-arm with a plugin of its own (plugin/model.c) that follows the ARM1176's pipeline, caches and branch
// prediction, and multiplies what was counted with parameters that have a range each. Results are intervals.
//
// docs/explanation/cost.md says what of it could be checked and what not.
package armcost
