// SPDX-License-Identifier: Apache-2.0

// Package armcost estimates the cost of an ARMv6 Linux program on the robot's processor without the robot: it runs
// the program under qemu-arm with a plugin of its own (plugin/model.c) that models the ARM1176's pipeline, caches
// and branch prediction, and multiplies the counts by parameters, each with an interval. Results are intervals.
//
// docs/explanation/cost.md says what of it could be checked and what not.
package armcost
