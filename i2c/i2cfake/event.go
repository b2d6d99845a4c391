// SPDX-License-Identifier: Apache-2.0

package i2cfake

// Resource is a device that may be missing.
type Resource interface{ Present() bool }

// Event calls poll and returns "found" or "lost" if the device appeared or disappeared in it, otherwise nothing.
func Event(dev Resource, poll func() error) (event string, err error) {
	was := dev.Present()
	err = poll()
	switch is := dev.Present(); {
	case is && !was:
		return "found", err
	case was && !is:
		return "lost", err
	}
	return "", err
}
