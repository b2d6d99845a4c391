// SPDX-License-Identifier: Apache-2.0

package world

// Names for the package's external tests.
const (
	MaxFileSize    = maxFileSize
	MaxModels      = maxModels
	MaxPictureSize = maxPictureSize
	MaxStations    = maxStations
)
