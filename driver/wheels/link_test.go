// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"testing"
	"time"
)

func TestLinkIsLostAndComesBackOnce(t *testing.T) {
	var l link
	now := epoch
	for i := 1; i <= 20; i++ {
		now = now.Add(50 * time.Millisecond)
		want := linkSame
		if i == lostAfter {
			want = linkLost
		}
		if got := l.failed(now); got != want {
			t.Errorf("failure %d: event %d, want %d", i, got, want)
		}
	}
	if !l.lost || !l.since.Equal(epoch.Add(50*time.Millisecond)) {
		t.Errorf("lost %v since %v", l.lost, l.since)
	}
	if got := l.succeeded(); got != linkBack {
		t.Errorf("event %d on success", got)
	}
	if got := l.succeeded(); got != linkSame || l.lost {
		t.Errorf("event %d on the second success", got)
	}
}

func TestSingleErrorsLoseNothing(t *testing.T) {
	var l link
	for i := range 1000 {
		if i%lostAfter == 0 {
			l.succeeded()
		} else if e := l.failed(epoch); e != linkSame || l.lost {
			t.Fatalf("lost at %d", i)
		}
	}
}

func TestRetriesBackOff(t *testing.T) {
	var l link
	for range lostAfter - 1 {
		l.failed(epoch)
	}
	for i, want := range []int{50, 100, 200, 400, 800, 900, 900} {
		l.failed(epoch)
		if got := l.retry.Sub(epoch).Milliseconds(); got != int64(want) {
			t.Errorf("pause %d is %d ms, want %d", i, got, want)
		}
	}
	l.succeeded()
	for range lostAfter {
		l.failed(epoch)
	}
	if got := l.retry.Sub(epoch); got != firstRetry {
		t.Errorf("the next loss starts with a pause of %v", got)
	}
}

func TestRetryIsNotPutOffByAClockThatIsSetBack(t *testing.T) {
	var l link
	for range lostAfter {
		l.failed(epoch)
	}
	if got := l.due(epoch); !got.Equal(epoch.Add(firstRetry)) {
		t.Errorf("due %v", got.Sub(epoch))
	}
	now := epoch.Add(-time.Hour)
	if got := l.due(now); got.After(now) {
		t.Errorf("due in %v", got.Sub(now))
	}
}
