// SPDX-License-Identifier: Apache-2.0

package mailbox_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
)

func TestOneUsesTheBusAtATime(t *testing.T) {
	l := mailbox.NewLifecycle()
	for range 2 {
		if err := l.Enter(); err != nil {
			t.Fatal(err)
		}
		if err := l.Enter(); !errors.Is(err, mailbox.ErrRunning) {
			t.Errorf("a second user: %v", err)
		}
		l.Leave(false)
	}
	if err := l.Enter(); err != nil {
		t.Fatal(err)
	}
	l.Leave(true)
	if err := l.Enter(); !errors.Is(err, mailbox.ErrClosed) {
		t.Errorf("after the last: %v", err)
	}
	if first, ran := l.Shut(); !first || !ran {
		t.Errorf("first %v, ran %v", first, ran)
	}
	if first, ran := l.Shut(); first || !ran {
		t.Errorf("the second time: first %v, ran %v", first, ran)
	}
}

// TestShutWaitsForTheUser: the user of the bus is notified, and Shut waits for it.
func TestShutWaitsForTheUser(t *testing.T) {
	for _, last := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			l := mailbox.NewLifecycle()
			if err := l.Enter(); err != nil {
				t.Fatal(err)
			}
			go func() {
				<-l.Quit()
				time.Sleep(time.Second)
				l.Leave(last)
			}()
			began := time.Now()
			first, ran := l.Shut()
			if took := time.Since(began); took != time.Second || !first || ran != last {
				t.Errorf("after %v: first %v, ran %v", took, first, ran)
			}
			if err := l.Enter(); !errors.Is(err, mailbox.ErrClosed) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestShutWithoutAUser(t *testing.T) {
	l := mailbox.NewLifecycle()
	select {
	case <-l.Quit():
		t.Fatal("over before it began")
	default:
	}
	if first, ran := l.Shut(); !first || ran {
		t.Errorf("first %v, ran %v", first, ran)
	}
	<-l.Quit()
	if err := l.Enter(); !errors.Is(err, mailbox.ErrClosed) {
		t.Errorf("%v", err)
	}
}
