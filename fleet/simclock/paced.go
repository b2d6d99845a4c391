// SPDX-License-Identifier: Apache-2.0

package simclock

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// Paced returns a time source that follows another one, but not faster than a real-time factor. A factor of +Inf
// imposes no limit. A lag of up to maxLag of the machine's time is caught up with, as by [Clock.Run].
func Paced(source timesource.Source, factor float64) (timesource.Source, error) {
	if !(factor > 0) {
		return nil, fmt.Errorf("%w: %g, must be more than 0", ErrFactor, factor)
	}
	if math.IsInf(factor, 1) {
		return source, nil
	}
	return &paced{source, factor}, nil
}

// paced is a time source with a real-time factor.
type paced struct {
	timesource.Source
	factor float64
}

// Run implements timesource.Source. The machine's time counts from the first age.
func (p *paced) Run(ctx context.Context, to func(age time.Duration) error) error {
	var base time.Time // of the machine's clock: the reference of the factor …
	var from time.Duration
	timer := time.NewTimer(0)
	defer timer.Stop()
	return p.Source.Run(ctx, func(age time.Duration) error {
		if base.IsZero() {
			base, from = time.Now(), age // … and the age at that time
		}
		lag := time.Since(base) - time.Duration(float64(age-from)/p.factor)
		if lag > maxLag {
			base = base.Add(lag - maxLag)
		}
		if lag < 0 {
			timer.Reset(max(minSleep, -lag))
			select {
			case <-timer.C:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return to(age)
	})
}

// Status implements timesource.Source.
func (p *paced) Status() timesource.Status {
	s := p.Source.Status()
	s.By = fmt.Sprintf("%s, at most %g × real time", s.By, p.factor)
	return s
}
