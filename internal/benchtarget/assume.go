// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// What can't be counted under an emulator is assumed, and said with every result.
const (
	// coreHz is the robot's processor: one ARM1176JZF-S at 1 GHz (Raspberry Pi Zero W).
	coreHz = 1e9
	// cyclesPerInstruction is between 1.5, which the in-order ARM1176 reaches on code that fits its 16 KB caches, and
	// 2.5 on Go code that waits for memory.
	cyclesPerInstruction     = 2.0
	fewestCycles, mostCycles = 1.5, 2.5
	// cycles in the kernel: reading the clock (no vDSO on this processor), a call that returns at once
	clockCall, plainCall              = 800, 2_500
	waitingCall, sendingCall          = 8_000, 40_000
	sysNanosleep, sysPoll, sysFutex64 = 162, 346, 422 // numbers of ARM Linux
	sysClock, sysClock64              = 263, 403
	sysSendto, sysSendmsg, sysSendmm  = 290, 296, 374
	sysRecvfrom, sysRecvmsg, sysRecv  = 292, 297, 365
	sysFutex                          = 240
)

// kernelCycles estimates what the system calls cost.
func kernelCycles(calls map[int]float64) float64 {
	sum := 0.0
	for number, n := range calls {
		switch number {
		case sysClock, sysClock64:
			sum += n * clockCall
		case sysNanosleep, sysFutex, sysFutex64, sysPoll: // the processor goes to another thread and comes back
			sum += n * waitingCall
		case sysSendto, sysSendmsg, sysSendmm, sysRecvfrom, sysRecvmsg, sysRecv: // a datagram through UDP and IP
			sum += n * sendingCall
		default:
			sum += n * plainCall
		}
	}
	return sum
}

func assumptions() string {
	return fmt.Sprintf(`Counted on an emulated ARM1176: the program's own instructions and its system calls; the simulated chips do not count.
Assumed: %.1f cycles an instruction (%.1f to %.1f in brackets) at 1 GHz; in the kernel %d cycles to read the clock,
%d for a call that waits, %d for a datagram, %d for any other.
`, cyclesPerInstruction, fewestCycles, mostCycles, clockCall, waitingCall, sendingCall, plainCall)
}
