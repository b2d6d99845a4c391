// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const setBool = "std_srvs/srv/SetBool"

// serve offers a service of the robot that says what it was asked, after a while.
func (s *scene) serve(name string, takes time.Duration) {
	s.Helper()
	_, err := ros2.NewService(s.robot, std_srvs.SetBool{}, name,
		func(_ context.Context, q *std_srvs.SetBoolRequest) (*std_srvs.SetBoolResponse, error) {
			time.Sleep(takes)
			return &std_srvs.SetBoolResponse{Success: q.Data, Message: name}, nil
		})
	s.must(err)
}

// ask calls a service of the robot.
func (s *scene) ask(ctx context.Context, name string, on bool) (*std_srvs.SetBoolResponse, error) {
	request, err := cdr.Marshal(nil, &std_srvs.SetBoolRequest{Data: on})
	s.must(err)
	reply, err := s.hub.Call(ctx, name, setBool, request)
	if err != nil {
		return nil, err
	}
	var response std_srvs.SetBoolResponse
	return &response, cdr.Unmarshal(reply, &response)
}

func TestCallsShareOneClient(t *testing.T) {
	inScene(t, func(s *scene) {
		s.serve("/switch", time.Second)
		done := make(chan error, 10)
		for i := range cap(done) {
			go func() {
				want := i%2 == 0
				r, err := s.ask(s.Context(), "/switch", want)
				if err == nil && (r.Success != want || r.Message != "/switch") {
					err = fmt.Errorf("call %d got %+v", i, r)
				}
				done <- err
			}()
		}
		for range cap(done) {
			s.must(<-done)
		}
		if n := len(s.hub.callers); n != 1 {
			t.Errorf("%d clients", n)
		}
		for _, c := range s.hub.callers {
			if len(c.waiting) != 0 || c.users != 0 {
				t.Errorf("%d calls wait, %d use it", len(c.waiting), c.users)
			}
		}
	})
}

func TestCallOfUnknownServiceFails(t *testing.T) {
	inScene(t, func(s *scene) {
		s.serve("/switch", 0)
		for _, c := range []struct{ name, rosType string }{
			{"/none", setBool}, {"/switch", "std_srvs/srv/Trigger"},
		} {
			if _, err := s.hub.Call(s.Context(), c.name, c.rosType, nil); !errors.Is(err, ErrNoService) {
				t.Errorf("%s of %s: %v", c.name, c.rosType, err)
			}
		}
		if n := len(s.hub.callers); n != 0 {
			t.Errorf("%d clients of services that are not there", n)
		}
	})
}

func TestCallEndsWithItsContext(t *testing.T) {
	inScene(t, func(s *scene) {
		s.serve("/slow", time.Hour)
		ctx, cancel := context.WithTimeout(s.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		_, err := s.ask(ctx, "/slow", true)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		for _, c := range s.hub.callers {
			if len(c.waiting) != 0 {
				t.Error("the call still waits")
			}
			c.deliver(1, ros2.Sample{Payload: []byte("late")}) // harmless
		}
		time.Sleep(2 * time.Hour)
	})
}

func TestCallEndsWithTheHub(t *testing.T) {
	inScene(t, func(s *scene) {
		s.serve("/slow", time.Hour)
		done := make(chan error, 1)
		go func() {
			_, err := s.ask(context.Background(), "/slow", true)
			done <- err
		}()
		synctest.Wait()
		s.must(s.hub.Close())
		if err := <-done; !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		time.Sleep(2 * time.Hour)
	})
}

// A call waits until its server is matched, or its context ends.
func TestAwaitServer(t *testing.T) {
	inScene(t, func(s *scene) {
		c, err := s.hub.borrow("/later", setBool)
		s.must(err)
		defer s.hub.giveBack(c)
		ctx, cancel := context.WithTimeout(s.Context(), time.Second)
		defer cancel()
		if err := c.await(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without a server: %v", err)
		}
		done := make(chan error, 1)
		go func() { done <- c.await(s.Context()) }()
		synctest.Wait()
		s.serve("/later", 0)
		s.must(<-done)
	})
}

// Clients are kept for the next call, up to maxCallers.
func TestIdleClientsAreClosed(t *testing.T) {
	inScene(t, func(s *scene) {
		busy, err := s.hub.borrow("/busy", setBool)
		s.must(err)
		for i := range maxCallers + 10 {
			time.Sleep(time.Second)
			c, err := s.hub.borrow(fmt.Sprintf("/s%d", i), setBool)
			s.must(err)
			s.hub.giveBack(c)
		}
		if n := len(s.hub.callers); n != maxCallers {
			t.Errorf("%d clients are kept, want %d", n, maxCallers)
		}
		if s.hub.callers["/busy "+setBool] != busy {
			t.Error("a client in use went")
		}
		if s.hub.callers[fmt.Sprintf("/s%d %s", maxCallers+9, setBool)] == nil {
			t.Error("the latest went")
		}
		s.hub.giveBack(busy)
	})
}

// topicsOnly is a transport without services.
type topicsOnly struct{ ros2.Transport }

func TestTransportWithoutServices(t *testing.T) {
	inScene(t, func(s *scene) {
		s.serve("/switch", 0)
		s.hub.cfg.Transport = topicsOnly{s.hub.cfg.Transport}
		if _, err := s.ask(s.Context(), "/switch", true); !errors.Is(err, ErrNoService) {
			t.Error(err)
		}
	})
}
