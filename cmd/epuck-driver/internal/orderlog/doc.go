// SPDX-License-Identifier: Apache-2.0

// Package orderlog reads and compares the logs of sim --order-log. The robot's program, which simulates without a fixed
// order, has only a command that says so.
package orderlog
