// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// clock returns the kernel's state of the clock (adjtimex(2)).
func clock() (Clock, error) {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	if err != nil {
		return Clock{}, fmt.Errorf("doctor: adjtimex: %w", err)
	}
	return Clock{
		Now:          time.Now(),
		Synchronised: state != unix.TIME_ERROR && t.Status&unix.STA_UNSYNC == 0,
		MaxError:     time.Duration(t.Maxerror) * time.Microsecond,
	}, nil
}
