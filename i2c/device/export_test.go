// SPDX-License-Identifier: Apache-2.0

package device

// left returns the number of transactions that this Poll may still make.
func (c *Chip) left() int { return c.port.left }
