// SPDX-License-Identifier: Apache-2.0

package plant

import "errors"

// ErrNoPart is matched by the error of a part that robots do not have. Its text is that of package sim, in which users find it.
var ErrNoPart = errors.New("sim: no part")
