// SPDX-License-Identifier: Apache-2.0

// Package shapes implements shape_main, the program of the OMG's dds-rtps suite that publishes and subscribes coloured
// shapes. It has the options and output lines that the suite expects, so that package rtps can be tested with the
// implementations of all DDS vendors:
//
//	shape_main -P -t Square -c BLUE        publishes a blue square that moves
//	shape_main -S -t Square                prints every shape it is sent
//
// Run is the program; Cache is a reader's history of a topic with key, as DDS describes it (DDS 1.4, 2.2.2.5):
// instances and their states, keep-last of each, ownership, filters and lifespan. Coherent sets, durability beyond the
// lifetime of the writer and a configurable fragment size fail with "not supported", which the suite recognises.
package shapes
