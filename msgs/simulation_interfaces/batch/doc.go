// SPDX-License-Identifier: Apache-2.0

// Package batch holds the service spawn_entities of the simulation interfaces. It has a message of the name of another
// service, SpawnEntity, and in Go each needs a package of its own.
package batch
