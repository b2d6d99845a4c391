// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package udp

import (
	"net/netip"
	"testing"
)

// TestKernelSendsBatchesInOrder: batches sent by this machine's kernel, segmented and not, arrive complete and in
// order, up to the largest datagrams.
func TestKernelSendsBatchesInOrder(t *testing.T) {
	for _, segment := range []bool{true, false} {
		s, to := socketOn(t, nil), socketOn(t, nil)
		s.batch.segment = s.batch.segment && segment
		list := datagrams(to.address(), append(append(repeat(40, 1428), 300, 20, 20), maxUDPPayload, 1, 0, 700)...)
		if n, err := s.sendAll(list); n != len(list) || err != nil {
			t.Fatalf("%d sent, %v", n, err)
		}
		if err := sameDatagrams(to.take(t, len(list)), list); err != nil {
			t.Errorf("cut by the kernel %v: %v", segment, err)
		}
	}
}

// TestBatchDoesNotAllocate: neither sending nor receiving a batch allocates.
func TestBatchDoesNotAllocate(t *testing.T) {
	s, to := socketOn(t, nil), socketOn(t, nil)
	list := datagrams(to.address(), repeat(20, 1428)...)
	received := make(chan struct{}, 1)
	n := 0
	go func() {
		_ = to.receive(func([]byte, netip.AddrPort) {
			if n++; n%len(list) == 0 {
				received <- struct{}{}
			}
		})
	}()
	if allocs := testing.AllocsPerRun(50, func() {
		if _, err := s.sendAll(list); err != nil {
			t.Error(err)
		}
		<-received
	}); allocs > 0 {
		t.Errorf("%g allocations a batch", allocs)
	}
}

// TestDedicatedSocketsDoNotAllocate: neither sending through a dedicated socket nor looking for a missing one
// allocates.
func TestDedicatedSocketsDoNotAllocate(t *testing.T) {
	s, _ := loopbackSockets(t)
	to := socketOn(t, nil)
	list := datagrams(to.address(), 100, 100)
	send := func() {
		if n, err := s.SendBatch(list, UserTraffic); n != 2 || err != nil {
			t.Error(n, err)
		}
		if err := s.Send(list[0].Data, list[0].To, UserTraffic); err != nil {
			t.Error(err)
		}
	}
	send()
	if allocs := testing.AllocsPerRun(100, send); allocs > 0 {
		t.Errorf("%g allocations", allocs)
	}
}
