// SPDX-License-Identifier: Apache-2.0

package order

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// reporting is a transport whose endpoints report matches when a test says so.
type reporting struct {
	ros2.ServiceTransport
	match func(n int)
}

// NewWriter implements ros2.Transport.
func (r *reporting) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	r.match = cfg.OnMatch
	return nil, nil
}

// NewReader implements ros2.Transport.
func (r *reporting) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	r.match = cfg.OnMatch
	return nil, nil
}

// NewRequester implements ros2.ServiceTransport.
func (r *reporting) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	r.match = func(n int) { cfg.OnAvailable(n > 0) }
	return nil, nil
}

// TestMatchesAreReportedBeforeTheLeaderBegins: an endpoint counts as matched only after its node knows the match. A
// leader that began in between let the first callback call a service that its client did not know yet, and the request
// was sent at a later tag.
func TestMatchesAreReportedBeforeTheLeaderBegins(t *testing.T) {
	for name, create := range map[string]func(tr ros2.ServiceTransport, report func()) error{
		"publisher": func(tr ros2.ServiceTransport, report func()) error {
			_, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{OnMatch: func(int) { report() }}})
			return err
		},
		"subscription": func(tr ros2.ServiceTransport, report func()) error {
			_, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: ros2.EndpointConfig{Grouped: true, OnMatch: func(int) { report() }}})
			return err
		},
		"client": func(tr ros2.ServiceTransport, report func()) error {
			_, err := tr.NewRequester(ros2.ClientConfig{ServiceConfig: ros2.ServiceConfig{Grouped: true}, OnAvailable: func(bool) { report() }})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := New(Config{})
			inner := new(reporting)
			reports := 0
			matched := func() int { return c.inbox.list(false)[0].Matched }
			err := create(c.Transport(inner), func() {
				if reports++; matched() != 0 {
					t.Error("the leader could begin before the node knew the match")
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			inner.match(1)
			if reports != 1 || matched() != 1 {
				t.Errorf("%d reports, matched %d; want 1 and 1", reports, matched())
			}
		})
	}
}
