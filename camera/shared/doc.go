// SPDX-License-Identifier: Apache-2.0

// Package shared opens one camera for several readers, for the image topics and the live video: the device can be
// opened only once. The owner chooses the mode in which the camera runs. Viewers receive that mode, and are
// disconnected when the owner opens another one. Frames are not copied: each returns to the camera when all have
// released it.
package shared

import "errors"

// errTaken is matched by what a viewer reads when the camera's owner opens it in another mode than it runs in.
var errTaken = errors.New("shared: the camera's owner opens it in another mode")
