// SPDX-License-Identifier: Apache-2.0

// Package card is what a robot's SD card image knows of itself: the text file epuck.txt on the boot partition, which a
// user edits on any computer, what it says ([Parse]), and how it becomes the settings of the system on the card
// ([Machine.Apply]).
//
// A file with mistakes is applied as far as it is right; the mistakes are listed by line and key in epuck-log.txt next
// to it and, by package deploy/card/lights, with a colour of the robot's LEDs.
package card
