// SPDX-License-Identifier: Apache-2.0

package table

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// acts does what services ask for, or fails.
type acts struct {
	done []string
	err  error
}

func (a *acts) act(what string) error {
	a.done = append(a.done, what)
	return a.err
}

func (a *acts) ResetOdometry(context.Context) error { return a.act("odometry") }
func (a *acts) CalibrateIR(context.Context) error   { return a.act("infrared") }
func (a *acts) CalibrateIMU(context.Context) error  { return a.act("imu") }

// Each service asks for its action, and says what went wrong.
func TestServicesAct(t *testing.T) {
	for name, want := range map[string]string{"reset_odometry": "odometry", "calibrate_ir": "infrared", "calibrate_imu": "imu"} {
		for _, failure := range []error{nil, errors.New("a wheel is off")} {
			synctest.Test(t, func(t *testing.T) {
				p, a := newPair(t, ""), &acts{err: failure}
				services, err := NewServices(p.robot, a, slog.New(slog.DiscardHandler))
				p.must(err)
				c, err := ros2.NewClient(p.user, std_srvs.Trigger{}, name)
				p.must(err)
				answer, err := c.Call(t.Context(), &std_srvs.TriggerRequest{})
				p.must(err)
				if len(a.done) != 1 || a.done[0] != want {
					t.Errorf("%s did %q", name, a.done)
				}
				if answer.Success != (failure == nil) || failure != nil && answer.Message != failure.Error() {
					t.Errorf("%s answers %+v", name, answer)
				}
				p.must(c.Close())
				p.must(CloseServices(services))
			})
		}
	}
}

// The services of a part are offered by it: the table names them, and nothing acts for them here.
func TestServicesOfTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Services() {
		if seen[s.Name] || s.Meaning == "" || !strings.Contains(s.Type, "/srv/") || (s.act == nil) != (s.Part != "") {
			t.Errorf("%+v", s)
		}
		seen[s.Name] = true
	}
}
