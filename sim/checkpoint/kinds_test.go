// SPDX-License-Identifier: Apache-2.0

package checkpoint_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/checkpoint"
)

// load loads what was saved, and fails the test if that is an error.
func load(t testing.TB, data []byte, root any) {
	t.Helper()
	if err := checkpoint.Load(bytes.NewReader(data), root, own); err != nil {
		t.Fatal(err)
	}
}

// named are types of one's own over basic ones: they are written by their kind.
type (
	level  int16
	mask   uint32
	ratio  float32
	symbol string
	flag   bool
)

// kinds has every kind of basic value.
type kinds struct {
	b   bool
	i   int
	i8  int8
	i16 int16
	i32 int32
	i64 int64
	u   uint
	u8  uint8
	u16 uint16
	u32 uint32
	u64 uint64
	f32 float32
	f64 float64
	s   string
	l   level
	m   mask
	r   ratio
	y   symbol
	g   flag
	d   time.Duration
}

// anyKinds generates values of all kinds, extreme ones among them.
func anyKinds(t *rapid.T) kinds {
	bits := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, math.MaxUint64, 1 << 63, math.MaxInt64, 0x7ff0000000000001}))
	u := func(label string) uint64 { return bits.Draw(t, label) }
	return kinds{
		b: rapid.Bool().Draw(t, "b"), i: int(u("i")), i8: int8(u("i8")), i16: int16(u("i16")), i32: int32(u("i32")), i64: int64(u("i64")),
		u: uint(u("u")), u8: uint8(u("u8")), u16: uint16(u("u16")), u32: uint32(u("u32")), u64: u("u64"),
		f32: math.Float32frombits(0x7fc00000 &^ uint32(u("f32"))), f64: math.Float64frombits(u("f64")),
		s: string(rapid.SliceOf(rapid.Byte()).Draw(t, "s")), l: level(u("l")), m: mask(u("m")), r: ratio(float32(u("r"))),
		y: symbol(rapid.String().Draw(t, "y")), g: flag(rapid.Bool().Draw(t, "g")), d: time.Duration(u("d")),
	}
}

// same compares bit for bit: a NaN is itself, and −0 is not 0.
func (k kinds) same(o kinds) bool {
	floats := math.Float64bits(k.f64) == math.Float64bits(o.f64) && math.Float32bits(k.f32) == math.Float32bits(o.f32)
	k.f64, o.f64, k.f32, o.f32 = 0, 0, 0, 0
	return floats && k == o
}

// TestEveryKindComesBack: whatever the values, what is loaded is the same bit for bit, over whatever was there before.
func TestEveryKindComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyKinds(t), anyKinds(t)
		var out, again bytes.Buffer
		if err := checkpoint.Save(&out, &a, own); err != nil {
			t.Fatal(err)
		}
		if err := checkpoint.Load(bytes.NewReader(out.Bytes()), &b, own); err != nil {
			t.Fatal(err)
		}
		if !a.same(b) {
			t.Fatalf("%+v came back as %+v", a, b)
		}
		if err := checkpoint.Save(&again, &b, own); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Fatalf("saved again it is other bytes (%v)", err)
		}
	})
}

// words makes data of numbers and texts as they are in a file: eight bytes each, a text with its length before it.
func words(parts ...any) (b []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = binary.LittleEndian.AppendUint64(b, uint64(p))
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, p)
		case string:
			b = append(binary.LittleEndian.AppendUint64(b, uint64(len(p))), p...)
		}
	}
	return b
}

// TestMapsAreWrittenInOrder: a map gives the same bytes each time, by its keys: a saved world is compared by its bytes.
// The keys are far apart, so that their difference does not fit an int64.
func TestMapsAreWrittenInOrder(t *testing.T) {
	ints := map[int64]int{}
	uints := map[uint64]int{}
	for i, k := range []int64{math.MinInt64, math.MinInt64 + 1, -5e18, -1, 0, 1, 5e18, math.MaxInt64 - 1, math.MaxInt64} {
		ints[k], uints[uint64(k)] = i, i
	}
	for range 30 {
		got := save(t, &ints)
		for i := range len(ints) {
			if v := binary.LittleEndian.Uint64(got[8*(3+2*i):]); v != uint64(i) {
				t.Fatalf("key %d of the signed ones is in place %d", v, i)
			}
		}
		got = save(t, &uints)
		last := uint64(0)
		for i := range len(uints) {
			if k := binary.LittleEndian.Uint64(got[8*(2+2*i):]); k < last {
				t.Fatalf("%#x comes after %#x", k, last)
			} else {
				last = k
			}
		}
	}
}

// TestKeysThatLookAlike: keys which print alike without quotes have an order, too.
func TestKeysThatLookAlike(t *testing.T) {
	type pair struct{ a, b string }
	m := map[pair]int{{"x y", "z"}: 1, {"x", "y z"}: 2, {"", " x y z"}: 3, {"x y z ", ""}: 4, {" ", "x y z"}: 5}
	first := save(t, &m)
	for range 50 {
		if got := save(t, &m); !bytes.Equal(got, first) {
			t.Fatalf("other bytes:\n%x\n%x", got, first)
		}
	}
	var back map[pair]int
	if load(t, first, &back); !reflect.DeepEqual(back, m) {
		t.Errorf("%v", back)
	}
}

// TestMapKeysOfAllKinds: maps come back whatever their keys are; what was there and is not in the file goes.
func TestMapKeysOfAllKinds(t *testing.T) {
	type maps struct {
		b map[bool]string
		f map[float64]string
		s map[symbol]level
		a map[[2]int8]string
		p map[string]*leaf
		n map[string]int
		e map[string]int
	}
	a := maps{
		b: map[bool]string{true: "yes", false: "no"}, f: map[float64]string{-0.5: "a", math.Inf(1): "b", 1e300: "c"},
		s: map[symbol]level{"x": -1, "": 2}, a: map[[2]int8]string{{1, 2}: "12", {-1, 3}: "-13"},
		p: map[string]*leaf{"one": {a: 1}, "nil": nil}, e: map[string]int{},
	}
	b := maps{p: map[string]*leaf{"gone": {a: 7}, "one": {a: 9}}, n: map[string]int{"gone": 1}, b: map[bool]string{true: "old"}}
	kept := b.p["one"]
	load(t, save(t, &a), &b)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%+v", b)
	}
	if b.p["one"] != kept || kept.a != 1 {
		t.Error("what a map points to is another")
	}
	if b.n != nil || b.e == nil {
		t.Error("a map that is nil and an empty one are not distinguished")
	}
}

// TestLists: nil and empty are two things; longer and shorter ones than were there; what elements point to stays
// itself.
func TestLists(t *testing.T) {
	for _, was := range []int{0, 1, 3, 5} {
		for _, n := range []int{-1, 0, 1, 3, 5, 3000} {
			var a []kinds
			for i := range n {
				a = append(a, kinds{i: i, s: "x"})
			}
			if n == 0 {
				a = []kinds{}
			}
			b := slices.Repeat([]kinds{{s: "old"}}, was)
			if load(t, save(t, &a), &b); !reflect.DeepEqual(a, b) {
				t.Errorf("%d over %d: %d elements, nil %v", n, was, len(b), b == nil)
			}
		}
	}
	a, b := []*leaf{{a: 1}, {a: 2}}, []*leaf{new(leaf), new(leaf)}
	kept := slices.Clone(b)
	if load(t, save(t, &a), &b); b[0] != kept[0] || b[1] != kept[1] || kept[1].a != 2 {
		t.Errorf("%v", b)
	}
}

// node is part of a graph.
type node struct {
	n     int
	next  *node
	other *node
}

// ring makes n nodes in a ring, each with a way across.
func ring(n, across int) *node {
	all := make([]node, n)
	for i := range all {
		all[i].next, all[i].other = &all[(i+1)%n], &all[(i+across)%n]
	}
	return &all[0]
}

// TestGraphsKeepTheirShape: any ring with ways across is walked once, comes back into one of its shape, and every
// pointer leads where it did.
func TestGraphsKeepTheirShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		across := rapid.IntRange(0, n-1).Draw(t, "across")
		a, b := ring(n, across), ring(n, across)
		for at, k := a, 0; k < n; at, k = at.next, k+1 {
			at.n = rapid.Int().Draw(t, "value")
		}
		var out bytes.Buffer
		if err := checkpoint.Save(&out, a, own); err != nil {
			t.Fatal(err)
		}
		if err := checkpoint.Load(&out, b, own); err != nil {
			t.Fatal(err)
		}
		for x, y, k := a, b, 0; k < n; x, y, k = x.next, y.next, k+1 {
			if x.n != y.n || x.other.n != y.other.n {
				t.Fatalf("node %d: %d instead of %d", k, y.n, x.n)
			}
		}
	})
}

// machinery has what is no state.
type machinery struct {
	calls []func() int
	wires []chan int
	f     func() int
	c     complex128
	p     uintptr
	file  *os.File
	plain struct{ n int }
	n     int
}

// TestWhatIsNoStateStays: functions, channels, foreign types and lists of them stay as the constructor made them, even
// if there were more or fewer of them when the state was saved.
func TestWhatIsNoStateStays(t *testing.T) {
	seven := func() int { return 7 }
	a := machinery{calls: []func() int{nil}, wires: make([]chan int, 9), f: nil, c: 1i, p: 5, n: 3}
	a.plain.n = 4
	b := machinery{calls: []func() int{seven, seven}, wires: []chan int{make(chan int)}, f: seven, c: 2, p: 6, file: os.Stdout}
	load(t, save(t, &a), &b)
	if len(b.calls) != 2 || b.calls[1]() != 7 || len(b.wires) != 1 || b.wires[0] == nil || b.f() != 7 || b.c != 2 || b.p != 6 || b.file != os.Stdout {
		t.Errorf("%+v", b)
	}
	if b.n != 3 || b.plain.n != 4 {
		t.Errorf("state is lost: %+v", b)
	}
}

// TestClaimsCostNothing: data that claims a long list, text or map has no memory until the rest of it is there.
func TestClaimsCostNothing(t *testing.T) {
	const claim = 1<<28 - 1
	for name, c := range map[string]struct {
		data []byte
		root any
	}{
		"a list":              {words(2, claim), new([]int)},
		"a list of functions": {words(2, claim), new([]func())},
		"a text":              {words(2, claim), new(string)},
		"a map":               {words(2, claim), new(map[int]int)},
		"a list of lists":     {words(2, 3, claim), new([][]int)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := checkpoint.Load(bytes.NewReader(c.data), c.root, own)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%s: %d bytes for %d", name, got, len(c.data))
		}
		if err != nil && !errors.Is(err, checkpoint.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// box holds something.
type box struct{ in any }

// TestDamage: each error names the field and says what is wrong with it.
func TestDamage(t *testing.T) {
	const layout = own + "sim/checkpoint_test.box{in interface {} ;}"
	five := 5
	for name, c := range map[string]struct {
		data []byte
		root any
		text string
	}{
		"no data":                        {nil, &box{}, "cut off"},
		"a number cut off":               {words(2)[:7], new(int), "cut off"},
		"a length beyond all":            {words(2, 1<<28+1), new(string), "root: length 268435457"},
		"a length below 0":               {words(2, uint64(math.MaxUint64)), new([]int), "root: length 18446744073709551615"},
		"a text cut off":                 {words(2, 5, 0)[:20], new(string), "root: cut off"},
		"a pointer of no kind":           {words(3), new(int), "root: pointer 3"},
		"a pointer to what is not":       {words(2, 1), new(*int), "root: points to what is not there"},
		"the root is to be nil":          {words(0), new(int), "root: a pointer that can't be set"},
		"a pointer in an interface":      {words(2, layout, "*int", 0), &box{&five}, "root.in: a pointer that can't be set"},
		"another type in an interface":   {words(2, layout, "int8", 1), &box{int16(1)}, `root.in: holds "int16" instead of "int8"`},
		"nothing in an interface":        {words(2, layout, "int8", 1), &box{}, `root.in: holds "" instead of "int8"`},
		"something in an interface":      {words(2, layout, ""), &box{true}, `root.in: holds "bool" instead of ""`},
		"another number in one":          {words(2, layout, "int", 6), &box{5}, "root.in: 5 instead of 6"},
		"another text in one":            {words(2, layout, "string", "a"), &box{"b"}, `root.in: "b" instead of "a"`},
		"a text cut off in one":          {words(2, layout, "string", 9), &box{"b"}, "root.in: cut off"},
		"a list in one":                  {words(2, layout, "[]int", 1), &box{[]int{}}, "root.in: a list that can't be set"},
		"a map in one":                   {words(2, layout, "map[int]int", 1), &box{map[int]int{}}, "root.in: a map that can't be set"},
		"a map's key cut off":            {words(2, 2), new(map[int]int), "cut off"},
		"a map's value cut off":          {words(2, 2, 7), new(map[int]int), "cut off"},
		"a time that is none":            {words(2, "nonsense"), new(time.Time), "root: "},
		"a time cut off":                 {words(2, 99), new(time.Time), "root: cut off"},
		"a time without an address":      {words(2, layout, "time.Time", "x"), &box{time.Time{}}, "root.in: time.Time has no address"},
		"a struct of another version":    {words(2, "somewhere.else{a int ;}"), &box{}, "root: made by another version of the program: somewhere.else{a int ;} is not " + layout},
		"the name of a type is too long": {words(2, 1<<30), &box{}, "root: length 1073741824"},
	} {
		err := checkpoint.Load(bytes.NewReader(c.data), c.root, own)
		if !errors.Is(err, checkpoint.ErrFormat) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", name, err, c.text)
		}
	}
}

// TestWhatAnInterfaceHolds: values in an interface are compared, what a pointer in it points to is loaded.
func TestWhatAnInterfaceHolds(t *testing.T) {
	for name, in := range map[string]any{"nothing": nil, "a number": 5, "a text": "x", "a float": -0.5, "truth": true, "an array": [2]int{1, 2}, "a struct": leaf{a: 3, c: "c"}} {
		if err := checkpoint.Load(bytes.NewReader(save(t, &box{in})), &box{in}, own); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := box{&leaf{c: "old"}}
	kept := b.in
	if load(t, save(t, &box{&leaf{c: "new"}}), &b); b.in != kept || b.in.(*leaf).c != "new" {
		t.Errorf("%+v", b.in)
	}
}

// sick marshals itself, or not.
type sick struct{ err error }

func (s *sick) MarshalBinary() ([]byte, error) { return nil, s.err }
func (s *sick) UnmarshalBinary([]byte) error   { return s.err }

// TestWhatMarshalsItself: only types of other modules do; their errors come back with the path.
func TestWhatMarshalsItself(t *testing.T) {
	broken := errors.New("broken")
	type holder struct{ ill *sick }
	// Another module's prefix makes sick a foreign type, and holder, too: the list around it is walked.
	list := []*sick{{broken}}
	const foreign = "example.org/other/"
	if err := checkpoint.Save(new(bytes.Buffer), &list, foreign); !errors.Is(err, broken) || !strings.Contains(err.Error(), "root: ") {
		t.Errorf("saving: %v", err)
	}
	if err := checkpoint.Load(bytes.NewReader(words(2, 2, 2, "")), &list, foreign); !errors.Is(err, broken) || !errors.Is(err, checkpoint.ErrFormat) {
		t.Errorf("loading: %v", err)
	}
	held := holder{&sick{broken}} // its own module's is walked: a state, not a method
	if err := checkpoint.Save(new(bytes.Buffer), &holder{&sick{}}, own); err != nil {
		t.Error(err)
	}
	if err := checkpoint.Load(bytes.NewReader(save(t, &holder{&sick{}})), &held, own); err == nil {
		t.Error("an error in an interface that was nil is loaded over one that is not")
	}
	if err := checkpoint.Save(new(bytes.Buffer), &box{time.Time{}}, own); err == nil || !strings.Contains(err.Error(), "root.in: time.Time has no address") {
		t.Errorf("a time in an interface: %v", err)
	}
}

// limitedWriter is a writer with space for so many bytes.
type limitedWriter struct{ space int }

var errFull = errors.New("no space")

func (n *limitedWriter) Write(b []byte) (int, error) {
	if len(b) > n.space {
		return 0, errFull
	}
	n.space -= len(b)
	return len(b), nil
}

// TestFullDisk: an error of the writer comes back wherever it strikes. The state is longer than any buffer.
func TestFullDisk(t *testing.T) {
	a := newAll()
	for i := range 2000 {
		a.list = append(a.list, leaf{c: strings.Repeat("x", i%50)})
	}
	whole := len(save(t, a))
	for _, space := range []int{0, 4095, 4096, whole / 2, whole - 1} {
		if err := checkpoint.Save(&limitedWriter{space}, a, own); !errors.Is(err, errFull) {
			t.Errorf("space for %d of %d bytes: %v", space, whole, err)
		}
	}
	if err := checkpoint.Save(&limitedWriter{whole}, a, own); err != nil {
		t.Error(err)
	}
}
