// SPDX-License-Identifier: Apache-2.0

//go:build system

package web

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
)

// TestFloodsAndSlowReadersKeepMemoryBounded: as many viewers as there may be send messages, pings and fragments as fast
// as they can and read nothing. What is held for them is bounded, and another viewer is served meanwhile.
func TestFloodsAndSlowReadersKeepMemoryBounded(t *testing.T) {
	r := newRig(t, false)
	good := r.join("")
	good.settled()
	subscribe := `{"op":"subscribe","subscriptions":[{"id":1,"channelId":1},{"id":2,"channelId":2},{"id":3,"channelId":3}]}`
	large := whole(final|text, []byte(`{"op":"nothing","x":"`+strings.Repeat("x", socket.MaxMessage-100)+`"}`))
	floods := [][]byte{
		whole(final|text, []byte(subscribe)), whole(final|text, []byte(`{"op":"nothing"}`)), whole(final|ping, []byte("ping")),
		append(whole(text, nil), bytes.Repeat(whole(continuation, nil), 100)...), large, whole(final|text, []byte(`{`)),
	}
	before := heap()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range maxViewers - 1 {
		v := r.raw([]string{"/ws", "/rosbridge"}[i%2])
		wg.Go(func() {
			for {
				if _, err := v.Write(floods[i%len(floods)]); err != nil { // it is cut off
					return
				}
			}
		})
		wg.Go(func() {
			<-stop
			_ = v.Close()
		})
	}
	most := uint64(0)
	for range 20 {
		good.settled()
		most = max(most, heap())
	}
	close(stop)
	wg.Wait()
	t.Logf("%d viewers take %.1f MB more", maxViewers-1, (float64(most)-float64(before))/1e6)
	if grown := int64(most) - int64(before); grown > maxViewers*4<<20 {
		t.Errorf("%d viewers that flood and do not read take %.1f MB", maxViewers-1, float64(grown)/1e6)
	}
}

// heap returns how many bytes are in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
