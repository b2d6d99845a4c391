// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// The diagnostics describe the last second: a new subscriber gets no warning of past faults, and current rates.
func TestDiagnosticsAreOfTheLastSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(1))
		earlier, err := ros2.NewSubscription[diagnostic_msgs.DiagnosticArray](r.user, "/diagnostics", ros2.DefaultQoS(),
			func(*diagnostic_msgs.DiagnosticArray, ros2.MessageInfo) {})
		r.must(err)
		time.Sleep(5 * time.Second)
		r.must(earlier.Close())
		time.Sleep(5 * time.Second)
		faults := r.robot.Bus().FaultsAt(0x1F)
		r.must(faults.SetRates(vbus.Rates{CorruptRead: 0.3})) // without listeners
		r.driver.refused.Add(100)
		time.Sleep(20 * time.Second)
		r.must(faults.SetRates(vbus.Rates{}))
		time.Sleep(20 * time.Second)
		began := time.Now()
		reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
		time.Sleep(2200 * time.Millisecond)
		if len(reports()) == 0 {
			t.Fatalf("nothing for %v", time.Since(began))
		}
		time.Sleep(5 * time.Second)
		for i, m := range reports() {
			for _, s := range m.Status {
				if c := codes(s); len(c) > 0 {
					t.Errorf("message %d: %s raises %v", i, s.Name, c)
				}
			}
			if hz := numberOf(r, statusOf(r, m, health.StatusLoop), "rate (Hz)"); hz < 19 || hz > 21 {
				t.Errorf("message %d: the loop's rate is %v Hz", i, hz)
			}
		}
	})
}
