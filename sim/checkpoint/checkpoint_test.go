// SPDX-License-Identifier: Apache-2.0

package checkpoint_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/checkpoint"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

const own = "github.com/epuck-ros2/epuck-driver/"

type leaf struct {
	a int8
	b float64
	c string
}

type animal interface{ legs() int }

type dog struct{ n int }

func (d *dog) legs() int { return d.n }

// all has a field of everything that state is made of.
type all struct {
	_       sync.Mutex
	on      atomic.Bool
	list    []leaf
	none    []int
	table   map[uint16]*leaf
	names   map[string]int
	self    *all
	shared  [2]*leaf
	pet     animal
	sum     hash.Hash
	at      time.Time
	f       func() int
	ch      chan int
	late    *leaf
	skipped int `checkpoint:"-"`
	u       uint64
	deep    [2][3]bool
}

func newAll() *all {
	a := &all{pet: &dog{4}, sum: sha256.New(), f: func() int { return 7 }, ch: make(chan int), table: map[uint16]*leaf{1: {}}}
	a.self = a
	a.shared[0] = new(leaf)
	a.shared[1] = a.shared[0]
	return a
}

func save(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := checkpoint.Save(&b, v, own); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEverythingComesBack(t *testing.T) {
	a := newAll()
	a.on.Store(true)
	a.list = []leaf{{-3, 0.1, "x"}, {4, -5, ""}}
	a.table[1].a, a.table[9] = 5, &leaf{c: "nine"}
	a.names = map[string]int{"b": 2, "a": 1}
	a.shared[0].b, a.pet.(*dog).n = 2.5, 3
	a.sum.Write([]byte("abc"))
	a.at = time.Unix(5, 6).UTC()
	a.late, a.skipped, a.u, a.deep[1][2] = &leaf{c: "late"}, 8, 1<<63, true
	b := newAll()
	kept := b.table[1]
	if err := checkpoint.Load(bytes.NewReader(save(t, a)), b, own); err != nil {
		t.Fatal(err)
	}
	if !b.on.Load() || !reflect.DeepEqual(a.list, b.list) || b.none != nil || !reflect.DeepEqual(a.table, b.table) ||
		!reflect.DeepEqual(a.names, b.names) || b.pet.legs() != 3 || !b.at.Equal(a.at) || b.u != a.u || b.deep != a.deep {
		t.Errorf("%+v", b)
	}
	if b.self != b || b.shared[0] != b.shared[1] || b.shared[0].b != 2.5 || b.table[1] != kept {
		t.Error("pointers lead elsewhere")
	}
	if b.f() != 7 || b.ch == nil || b.skipped != 0 || b.late == nil || b.late.c != "late" {
		t.Errorf("%+v", b)
	}
	if !bytes.Equal(a.sum.Sum(nil), b.sum.Sum(nil)) {
		t.Error("the hash is another")
	}
	if !bytes.Equal(save(t, a), save(t, b)) {
		t.Error("saved again it is other bytes")
	}
}

type (
	version1 struct{ a, b int } //nolint:unused,nolintlint // found by reflection
	version2 struct{ a, c int } //nolint:unused,nolintlint // found by reflection
)

func TestOtherTypesAreRefused(t *testing.T) {
	data := save(t, &version1{1, 2})
	if err := checkpoint.Load(bytes.NewReader(data), &version2{}, own); !errors.Is(err, checkpoint.ErrFormat) || !strings.Contains(err.Error(), "version1") {
		t.Error(err)
	}
	a := newAll()
	data = save(t, a)
	b := newAll()
	b.pet = nil
	if err := checkpoint.Load(bytes.NewReader(data), b, own); !errors.Is(err, checkpoint.ErrFormat) || !strings.Contains(err.Error(), "pet") {
		t.Error(err)
	}
	for n := range data {
		if err := checkpoint.Load(bytes.NewReader(data[:n]), newAll(), own); !errors.Is(err, checkpoint.ErrFormat) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// Damaged data gives an error or another state, never a crash and never more memory than there is data for.
func FuzzLoad(f *testing.F) {
	a := newAll()
	a.list, a.names = []leaf{{1, 2, "3"}}, map[string]int{"a": 1}
	f.Add(save(f, a))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkpoint.Load(bytes.NewReader(data), newAll(), own); err != nil && !errors.Is(err, checkpoint.ErrFormat) {
			t.Error(err)
		}
	})
}

// counter is a state.
type counter struct{ n int }

func Example() {
	var file bytes.Buffer
	if err := checkpoint.Save(&file, &counter{41}, own); err != nil {
		fmt.Println(err)
	}
	c := new(counter)
	if err := checkpoint.Load(&file, c, own); err != nil {
		fmt.Println(err)
	}
	fmt.Println(c.n + 1)
	// Output: 42
}
