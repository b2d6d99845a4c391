// SPDX-License-Identifier: Apache-2.0

package vcamera

import "errors"

// ErrFaults is matched by faults that no camera can have.
var ErrFaults = errors.New("vcamera: impossible faults")
