// SPDX-License-Identifier: Apache-2.0

package robot

import "github.com/epuck-ros2/epuck-driver/wifi/packet"

// Names for the package's external tests.
var (
	ErrConfig = errConfig
)

// StaleFields is the number of samples without a new field that is an error.
const StaleFields = staleFields

// Store stores sensors as if they had been received.
func (r *Robot) Store(s packet.Sensors) { r.store(&s) }
