// SPDX-License-Identifier: Apache-2.0

package wheels

// Names for the package's external tests.
var (
	ErrData = errData
	UMBmark = umBmark
)
