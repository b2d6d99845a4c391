// SPDX-License-Identifier: Apache-2.0

package shm_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

func prefix(n byte) wire.GUIDPrefix { return wire.GUIDPrefix{1, 0x7e, n} }

func key(n int) shm.Key { return shm.Key{Writer: 3, SN: wire.SequenceNumber(n)} }

// fataler is a test, or one of rapid's.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// pair creates an area of a size, and the view that another participant has of it.
func pair(t fataler, folder string, size int) (a, b *shm.Area, v *shm.View) {
	t.Helper()
	a, err := shm.Create(folder, prefix(1), size)
	if err != nil {
		t.Fatal(err)
	}
	b, err = shm.Create(folder, prefix(2), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Open(prefix(2)); err != nil {
		t.Fatal(err)
	}
	if v, err = b.Open(prefix(1)); err != nil {
		t.Fatal(err)
	}
	return a, b, v
}

// create is pair for the whole test.
func create(t testing.TB, folder string, size int) (*shm.Area, *shm.View) {
	t.Helper()
	a, b, v := pair(t, folder, size)
	t.Cleanup(func() {
		if err := errors.Join(v.Close(), b.Close(), a.Close()); err != nil {
			t.Error(err)
		}
		if list, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(list) > 0 {
			t.Errorf("left: %v, %v", list, err)
		}
	})
	return a, v
}

// payload returns n bytes that depend on a number.
func payload(number, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(number + i*(number|1))
	}
	return b
}

// Each reference either returns exactly what was written, or ErrOverwritten; those that Find returns are never
// overwritten, and the newest block is always there.
func TestReferencesReturnWhatWasWritten(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(200, 4000).Draw(rt, "size")
		a, b, v := pair(rt, folder, size)
		defer a.Close()
		defer b.Close()
		refs, written := map[int]wire.SharedReference{}, map[int][]byte{}
		for i := range rapid.IntRange(1, 60).Draw(rt, "writes") {
			want := payload(i, rapid.IntRange(0, 1500).Draw(rt, "length"))
			ref, err := a.Write(key(i), want)
			if errors.Is(err, shm.ErrSize) {
				continue
			}
			if err != nil {
				rt.Fatal(err)
			}
			refs[i], written[i] = ref, want
			for n, ref := range refs {
				got, err := v.Read([]byte("x"), ref)
				found, ok := a.Find(key(n))
				switch {
				case err == nil && !bytes.Equal(got, append([]byte("x"), written[n]...)):
					rt.Fatalf("payload %d differs", n)
				case err != nil && (!errors.Is(err, shm.ErrOverwritten) || ok || n == i):
					rt.Fatalf("payload %d of %d: %v, found: %v", n, i, err, ok)
				case ok && found != ref:
					rt.Fatalf("payload %d: found %+v, want %+v", n, found, ref)
				}
			}
		}
	})
}

// Any reference that a peer may send is an error, unless it is right.
func TestWrongReferences(t *testing.T) {
	folder := t.TempDir()
	a, v := create(t, folder, 1<<16)
	ref, err := a.Write(key(1), payload(1, 1000))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*wire.SharedReference){
		func(r *wire.SharedReference) { r.Offset += 64 },
		func(r *wire.SharedReference) { r.Offset = 1 << 40 },
		func(r *wire.SharedReference) { r.Offset = 1<<64 - 1 },
		func(r *wire.SharedReference) { r.Number++ },
		func(r *wire.SharedReference) { r.Length++ },
	} {
		wrong := ref
		change(&wrong)
		if _, err := v.Read(nil, wrong); !errors.Is(err, shm.ErrOverwritten) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	// The file of a hostile process of the same user.
	f, err := os.OpenFile(filepath.Join(folder, shm.Name(prefix(1))), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Read(nil, ref); !errors.Is(err, shm.ErrOverwritten) {
		t.Errorf("a truncated file: %v", err)
	}
}

// Two processes' worth of concurrency: a reader that reads while the area is overwritten gets right payloads or
// ErrOverwritten.
func TestReadingWhileItIsOverwritten(t *testing.T) {
	a, v := create(t, t.TempDir(), 5<<16)
	type sent struct {
		number int
		ref    wire.SharedReference
	}
	refs := make(chan sent, 4)
	var reader sync.WaitGroup
	read := 0
	reader.Go(func() {
		var buf []byte
		for s := range refs {
			var err error
			if buf, err = v.Read(buf[:0], s.ref); err == nil {
				read++
				if !bytes.Equal(buf, payload(s.number, 1<<16)) {
					t.Errorf("payload %d differs", s.number)
				}
			} else if !errors.Is(err, shm.ErrOverwritten) {
				t.Error(err)
			}
		}
	})
	for i := range 2000 {
		ref, err := a.Write(key(i), payload(i, 1<<16))
		if err != nil {
			t.Fatal(err)
		}
		select {
		case refs <- sent{i, ref}:
		default:
		}
	}
	ref, err := a.Write(key(-1), payload(-1, 1<<16))
	if err != nil {
		t.Fatal(err)
	}
	refs <- sent{-1, ref}
	close(refs)
	reader.Wait()
	if read == 0 {
		t.Error("no payload was read")
	}
}

// The file of a killed process, which has no lock, is removed by the next one; that of a running process is not, and
// neither is any other file.
func TestFilesOfKilledProcessesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	stale, other := filepath.Join(folder, "epuck-rtps-017e99"), filepath.Join(folder, "something")
	for _, path := range []string{stale, other} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	running, err := shm.Create(folder, prefix(1), 1000)
	if err != nil {
		t.Fatal(err)
	}
	a, err := shm.Create(folder, prefix(2), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of a killed process: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("another file: %v", err)
	}
	for _, a := range []*shm.Area{running, a} {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if list, _ := os.ReadDir(folder); len(list) != 1 {
		t.Errorf("left: %v", list)
	}
}

// What is not a regular file of the user is not opened, and no other user can open an area.
func TestOnlyRegularFilesOfTheUser(t *testing.T) {
	folder := t.TempDir()
	a, _ := create(t, folder, 1000)
	path := filepath.Join(folder, shm.Name(prefix(1)))
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	link := filepath.Join(folder, shm.Name(prefix(3)))
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Open(prefix(3)); !errors.Is(err, unix.ELOOP) {
		t.Errorf("a symbolic link: %v", err)
	}
	_ = os.Remove(link)
	if err := unix.Mkfifo(link, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Open(prefix(3)); !errors.Is(err, shm.ErrForeign) {
		t.Errorf("a pipe: %v", err)
	}
	_ = os.Remove(link)
	if _, err := a.Open(prefix(3)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// The same folder has the same id, another mount another one.
func TestHostID(t *testing.T) {
	a, err := shm.HostID(shm.DefaultFolder)
	if err != nil || len(a) != 32 {
		t.Fatal(a, err)
	}
	if b, err := shm.HostID(shm.DefaultFolder); err != nil || b != a {
		t.Errorf("%s, %s, %v", a, b, err)
	}
	if b, err := shm.HostID("/proc"); err != nil || b == a {
		t.Errorf("%s, %s, %v", a, b, err)
	}
	if _, err := shm.HostID("/no such folder"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func BenchmarkWriteAndRead(b *testing.B) {
	folder, err := os.MkdirTemp(shm.DefaultFolder, "bench")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.Remove(folder) })
	a, v := create(b, folder, 16<<20)
	image := payload(1, 921_600)
	var buf []byte
	b.SetBytes(int64(len(image)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		ref, err := a.Write(key(n), image)
		if err == nil {
			buf, err = v.Read(buf[:0], ref)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
