// SPDX-License-Identifier: Apache-2.0

package vcamera

import "errors"

// errFaults is matched by faults that no camera can have.
var errFaults = errors.New("vcamera: impossible faults")
