// SPDX-License-Identifier: Apache-2.0

// Package orderlog reads and compares the logs of sim --order-log. In the program for ARMv6, which has no --order,
// its command only returns an error.
package orderlog
