// SPDX-License-Identifier: Apache-2.0

package plant

import "errors"

// ErrNoPart: robots have no such part. Its text is that of package sim, in which users find it.
var ErrNoPart = errors.New("sim: no part")
