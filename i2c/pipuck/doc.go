// SPDX-License-Identifier: Apache-2.0

// Package pipuck drives the other devices of the Pi-puck board: three RGB LEDs, controlled by the FT903
// microcontroller, and the signals of button and charger at the Pi's pins.
//
//	device           bus       address        tested                                       on hardware
//	FT903 (LEDs)     Pi-puck   0x1C           recorded transactions, virtual chip, faults  not tried
//	button           –         GPIO6          virtual pin                                  not tried
//	charger detect   –         GPIO13         virtual pin                                  not tried
//
// The pins are passed as periph's gpio interfaces; the caller looks them up by the numbers below. Nothing here sleeps:
// [Dev] and [Button] are polled with the time.
//
// Within three seconds after its reset the FT903 interprets a byte 0xFF as the command to wait for new firmware (York's
// pi-puck-ft903, main.c), and loses all other bytes. This package sends only register numbers 0 to 2 and colours 0 to 7
// to it (TestAnyBoard), and [Opts].Refresh writes again what was lost.
package pipuck

// Numbers of the pins, BCM2835 (York's device tree; GCtronic's power-handling.c and ft903-program-dfu.sh).
const (
	PinButton  = 6  // low while the button "aux on" is pressed; needs the pull-up
	PinCharger = 13 // high while a charger is connected
)
