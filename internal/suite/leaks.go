// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"time"

	"go.uber.org/goleak"
)

// leakTimeout is how long goroutines may take to end after the last test. It only ends a program that has a leak: a
// busy machine may take seconds to run a goroutine that has to end, and goleak alone waits for half a second.
const leakTimeout = time.Minute

// VerifyNoLeaks is goleak.VerifyTestMain for a machine of any load: it runs the tests, and fails if a goroutine of
// theirs is still running a minute later, but for those that the options ignore.
func VerifyNoLeaks(m goleak.TestingM, ignored ...goleak.Option) {
	goleak.VerifyTestMain(patient{m, func() error { return goleak.Find(ignored...) }}, ignored...)
}

// VerifyNoLeaksThen is [VerifyNoLeaks] with a function that removes what the tests have made, before the program ends.
func VerifyNoLeaksThen(m goleak.TestingM, cleanup func(code int)) {
	goleak.VerifyTestMain(patient{m, func() error { return goleak.Find() }}, goleak.Cleanup(cleanup))
}

// patient waits after its tests until their goroutines have ended.
type patient struct {
	goleak.TestingM
	leaks func() error
}

// Run runs the tests and returns their status.
func (p patient) Run() int {
	code := p.TestingM.Run()
	for begin := time.Now(); code == 0 && time.Since(begin) < leakTimeout; {
		if p.leaks() == nil {
			break
		}
	}
	return code
}
