// SPDX-License-Identifier: Apache-2.0

package shm_test

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// keeper copies the payloads of blocks that must be evicted, unless it refuses.
type keeper struct {
	refuses bool
	copies  map[*shm.Block][]byte
}

func (k *keeper) Evict(b *shm.Block) bool {
	if k.refuses {
		return false
	}
	if k.copies == nil {
		k.copies = map[*shm.Block][]byte{}
	}
	k.copies[b] = bytes.Clone(b.Payload())
	b.Release()
	return true
}

// publish writes a payload in place and returns its reference.
func publish(a *shm.Area, payload []byte, space int, k shm.Keeper) (*shm.Block, error) {
	b, err := a.Lend(space)
	if err != nil {
		return nil, err
	}
	a.Publish(b, len(append(b.Space(), payload...)), k)
	return b, nil
}

// A loan is where its owner has written the payload, which is aligned, and it stays as it is, whatever is written,
// returned, or closed, until it is released; then its memory is used again.
func TestLoansStayAsTheyAre(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		a, b, v := pair(rt, folder, rapid.IntRange(2000, 8000).Draw(rt, "size"))
		held := map[*shm.Loan][]byte{}
		defer func() {
			err := errors.Join(a.Close(), b.Close())
			for l, want := range held {
				if !bytes.Equal(l.Payload(), want) {
					rt.Fatalf("a loan differs after its area was closed")
				}
				l.Release()
			}
			if list, _ := os.ReadDir(folder); err != nil || len(list) > 0 {
				rt.Fatalf("left: %v, %v", list, err)
			}
		}()
		for i := range rapid.IntRange(1, 60).Draw(rt, "steps") {
			want := payload(i, rapid.IntRange(1, 1500).Draw(rt, "length"))
			var ref wire.SharedReference
			var err error
			if rapid.Bool().Draw(rt, "in place") {
				var block *shm.Block
				if block, err = publish(a, want, len(want)+rapid.IntRange(0, 100).Draw(rt, "more"), &keeper{}); err == nil {
					ref = block.Reference()
				}
			} else {
				ref, err = a.Write(key(i), want)
			}
			for l, want := range held {
				if !bytes.Equal(l.Payload(), want) {
					rt.Fatalf("a loan differs after payload %d, %v", i, err)
				}
				if rapid.IntRange(0, 3).Draw(rt, "release") == 0 {
					l.Release()
					delete(held, l)
				}
			}
			if errors.Is(err, shm.ErrSize) || errors.Is(err, shm.ErrFull) {
				continue
			}
			if err != nil {
				rt.Fatal(err)
			}
			l, err := v.Lend(ref)
			switch {
			case err == nil && uintptr(unsafe.Pointer(unsafe.SliceData(l.Payload())))%32 != 28:
				rt.Fatalf("the body of payload %d is not aligned", i)
			case err == nil:
				held[l] = want
			case !errors.Is(err, shm.ErrLent):
				rt.Fatal(err)
			}
			if got, err := v.Read(nil, ref); err != nil || !bytes.Equal(got, want) {
				rt.Fatalf("payload %d: %v", i, err)
			}
		}
	})
}

// While a reader borrows and releases, and the owner overwrites, each loan has the payload of its reference for as long
// as it lasts.
func TestLoansWhileTheOwnerWrites(t *testing.T) {
	const size = 1 << 11
	a, v := create(t, t.TempDir(), 9*size)
	type sent struct {
		number int
		ref    wire.SharedReference
	}
	refs, loans := make(chan sent, 4), make(chan func(), 4)
	var group sync.WaitGroup
	var lent atomic.Int64
	check := func(l *shm.Loan, number int) {
		if !bytes.Equal(l.Payload(), payload(number, size)) {
			t.Errorf("payload %d differs", number)
		}
	}
	group.Go(func() {
		defer close(loans)
		for s := range refs {
			l, err := v.Lend(s.ref)
			if errors.Is(err, shm.ErrOverwritten) || errors.Is(err, shm.ErrLent) {
				continue
			}
			if err != nil {
				t.Error(err)
				continue
			}
			lent.Add(1)
			check(l, s.number)
			loans <- func() { check(l, s.number); l.Release() }
		}
	})
	group.Go(func() {
		for release := range loans {
			release()
		}
	})
	for i := 0; i < 1000 || lent.Load() < 100; i++ {
		b, err := publish(a, payload(i, size), size, &keeper{})
		if errors.Is(err, shm.ErrFull) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		refs <- sent{i, b.Reference()}
	}
	close(refs)
	group.Wait()
}

// A reader that releases nothing gets a quarter of the memory; what exceeds that is read with a copy, and the owner
// writes on.
func TestLoansAreBounded(t *testing.T) {
	a, v := create(t, t.TempDir(), 1<<20)
	var loans []*shm.Loan
	for i := range 100 {
		ref, err := a.Write(key(i), payload(i, 1<<16))
		if err != nil {
			t.Fatal(err)
		}
		l, err := v.Lend(ref)
		if err == nil {
			loans = append(loans, l)
		} else if !errors.Is(err, shm.ErrLent) {
			t.Fatal(err)
		}
		if got, err := v.Read(nil, ref); err != nil || !bytes.Equal(got, payload(i, 1<<16)) {
			t.Fatalf("payload %d: %v", i, err)
		}
	}
	if len(loans) != 4 {
		t.Errorf("%d loans of 64 KiB, want 4", len(loans))
	}
	for i, l := range loans {
		if !bytes.Equal(l.Payload(), payload(i, 1<<16)) {
			t.Errorf("loan %d differs", i)
		}
		l.Release()
	}
	for i := range 2 * shm.MaxLoans { // small ones are limited by their number
		ref, err := a.Write(key(1000+i), []byte{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		if l, err := v.Lend(ref); (err == nil) != (i < shm.MaxLoans) {
			t.Fatalf("loan %d: %v", i, err)
		} else if err == nil {
			defer l.Release()
		}
	}
}

// A payload that its keeper needs is copied before its memory is used again; one whose keeper refuses stays, and so
// does a lent block, until there is no space.
func TestKeptBlocksAreEvicted(t *testing.T) {
	a, v := create(t, t.TempDir(), 4096)
	k := &keeper{}
	first, err := publish(a, payload(1, 1000), 1000, k)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if _, err := a.Write(key(i), payload(2, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(k.copies[first], payload(1, 1000)) {
		t.Error("the payload was not kept")
	}
	k.refuses = true
	held, err := publish(a, payload(3, 1000), 1000, k)
	if err != nil {
		t.Fatal(err)
	}
	lent, err := a.Lend(1000)
	if err != nil {
		t.Fatal(err)
	}
	copy(lent.Space()[:1000], payload(4, 1000))
	for i := range 8 {
		if _, err := a.Write(key(i), payload(5, 900)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := v.Read(nil, held.Reference()); err != nil || !bytes.Equal(got, payload(3, 1000)) || !bytes.Equal(lent.Space()[:1000], payload(4, 1000)) {
		t.Errorf("a block in use was overwritten: %v", err)
	}
	if _, err := a.Write(key(9), payload(6, 3000)); !errors.Is(err, shm.ErrFull) {
		t.Errorf("without space: %v", err)
	}
	held.Release()
	lent.Return()
	if _, err := a.Write(key(9), payload(6, 3000)); err != nil {
		t.Error(err)
	}
}

// Borrowing, reading and writing in place allocate nothing.
func TestLoansDoNotAllocate(t *testing.T) {
	a, v := create(t, t.TempDir(), 1<<18)
	image := payload(1, 1<<15)
	for name, run := range map[string]func(){
		"loans": func() {
			b, err := publish(a, image, 1<<15, nil)
			if err != nil {
				t.Fatal(err)
			}
			l, err := v.Lend(b.Reference())
			if err != nil {
				t.Fatal(err)
			}
			l.Release()
		},
		"returned buffers": func() {
			b, err := a.Lend(1 << 15)
			if err != nil {
				t.Fatal(err)
			}
			b.Return()
		},
	} {
		for range 20 {
			run()
		}
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
