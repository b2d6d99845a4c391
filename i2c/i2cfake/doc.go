// SPDX-License-Identifier: Apache-2.0

// Package i2cfake has I2C buses for tests: [Script] plays back recorded transactions and checks that each was made,
// [Faulty] makes another bus fail, by plan or at random from a seed.
package i2cfake
