// SPDX-License-Identifier: Apache-2.0

package order

import (
	"cmp"
	"fmt"
	"time"
)

// Tag is a logical time.
type Tag struct {
	// Time is the time since the start of the run.
	Time time.Duration
	// Micro is the microstep: the length of the chain of messages since Time was reached.
	Micro int
}

// compare orders tags.
func (t Tag) compare(o Tag) int {
	return cmp.Or(cmp.Compare(t.Time, o.Time), cmp.Compare(t.Micro, o.Micro))
}

// next returns the tag at which a message sent at t arrives.
func (t Tag) next() Tag { return Tag{t.Time, t.Micro + 1} }

// String returns seconds and the microstep, as in "3.200000000+1".
func (t Tag) String() string {
	return fmt.Sprintf("%d.%09d+%d", t.Time/time.Second, t.Time%time.Second, t.Micro)
}

// parseTag is the inverse of String.
func parseTag(s string) (t Tag, err error) {
	var sec, nano int64
	if _, err := fmt.Sscanf(s, "%d.%d+%d", &sec, &nano, &t.Micro); err != nil {
		return t, fmt.Errorf("%w: tag %q: %w", ErrRecord, s, err)
	}
	if t.Time = time.Duration(sec)*time.Second + time.Duration(nano); t.String() != s || sec < 0 {
		return t, fmt.Errorf("%w: tag %q", ErrRecord, s)
	}
	return t, nil
}
