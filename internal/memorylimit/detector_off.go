// SPDX-License-Identifier: Apache-2.0

//go:build !race

package memorylimit

// detector is how much more memory the race detector may take: none here.
const detector = 1
