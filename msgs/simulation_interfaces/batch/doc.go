// SPDX-License-Identifier: Apache-2.0

// Package batch has the service spawn_entities of the simulation interfaces. It has a message with the name of another
// service, SpawnEntity, so in Go each needs a separate package.
package batch
