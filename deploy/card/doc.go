// SPDX-License-Identifier: Apache-2.0

// Package card configures the robot's SD card: it parses the text file epuck.txt on the boot partition, which a user
// edits on any computer ([Parse]), and applies its settings to the system on the card ([Machine.Apply]).
//
// The valid settings of a file with mistakes are applied; the mistakes are listed by line and key in epuck-log.txt
// next to it and signalled, by package deploy/card/lights, with a colour of the robot's LEDs.
package card
