// SPDX-License-Identifier: Apache-2.0

// Package shared lets several programs' parts look through one camera, which can be opened once: the image topics and
// the live video. The owner says in which mode the camera runs; guests take what they get, and are sent off when the
// owner wants another mode. Frames are not copied: each goes back to the camera when all have released it.
package shared

import "errors"

// errTaken is matched by what a guest reads when the camera's owner wants another mode than the camera ran in.
var errTaken = errors.New("shared: the camera's owner wants it otherwise")
