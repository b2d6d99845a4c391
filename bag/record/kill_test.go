// SPDX-License-Identifier: Apache-2.0

//go:build system

package record

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// victimEnv makes this program the recorder that is killed; it holds the folder of the bag.
const victimEnv = "EPUCK_RECORD_VICTIM"

// TestKilledAtAnyMoment kills a recorder without warning, 200 times: all that it had synced is read, without a gap,
// with nothing broken before it; and recovering makes a whole bag of it.
func TestKilledAtAnyMoment(t *testing.T) {
	times := 200
	if !suite.Long {
		t.Skip("it starts programs of this machine")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dir := quickDir(t)
	t.Run("group", func(t *testing.T) {
		for worker := range 4 {
			t.Run(strconv.Itoa(worker), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(seed, uint64(worker)))
				for i := range times / 4 {
					killOnce(t, filepath.Join(dir, fmt.Sprint(worker, "-", i)), random)
				}
			})
		}
	})
}

func killOnce(t *testing.T, dir string, random *rand.Rand) {
	t.Helper()
	victim := exec.Command(os.Args[0], "-test.run=^TestVictim$", "-test.v")
	victim.Env = append(os.Environ(), victimEnv+"="+dir)
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	synced := map[string]int64{} // bytes of each file
	syncs, limit := 0, 1+random.IntN(12)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		name, size, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "synced "), " ")
		if n, err := strconv.ParseInt(size, 10, 64); ok && err == nil && strings.HasPrefix(lines.Text(), "synced ") {
			synced[name] = n
			if syncs++; syncs == limit {
				spin(random.IntN(300_000)) // some moment within the next chunk
				if err := victim.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	_ = victim.Wait()
	if syncs < limit {
		t.Fatalf("the victim ended by itself after %d syncs", syncs)
	}
	checkKilled(t, dir, synced)
}

// spin lets some time pass, of a length that nothing depends on.
func spin(n int) {
	x := 1
	for i := range n {
		x = x*31 + i
	}
	if x == 0 {
		fmt.Print()
	}
}

func checkKilled(t *testing.T, dir string, synced map[string]int64) {
	t.Helper()
	before := numbersIn(t, dir)
	for name, size := range synced {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(data)) < size {
			t.Errorf("%s has %d bytes, %d were synced", name, len(data), size)
		}
		r, err := mcap.NewReader(strings.NewReader(string(data)), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Damage {
			if d.Offset < size {
				t.Errorf("%s: %v, although %d bytes were synced", name, d, size)
			}
		}
	}
	done, err := bag.Recover(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range done {
		if r.Err != nil || r.Rewritten {
			t.Errorf("%+v", r)
		}
	}
	if after := numbersIn(t, dir); after != before {
		t.Errorf("%d messages before and %d after recovering", before, after)
	}
	meta, err := bag.ReadMetadata(dir)
	if err != nil || meta.Messages != uint64(before) {
		t.Errorf("metadata: %v, %v", meta, err)
	}
	b, err := bag.Open(dir)
	if err != nil || len(b.Interrupted)+len(b.Damage) > 0 {
		t.Fatalf("%+v %v", b, err)
	}
	_ = b.Close()
	_ = os.RemoveAll(dir)
}

// numbersIn returns how many messages a bag has; each must be the one after the last.
func numbersIn(t *testing.T, dir string) int {
	t.Helper()
	b, err := bag.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	n := 0
	for m, err := range b.Messages(bag.Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		if got := int(binary.LittleEndian.Uint32(m.Data[4:])); got != n {
			t.Fatalf("message %d is number %d", n, got)
		}
		n++
	}
	return n
}

// printingDisk prints what is synced.
type printingDisk struct{ realDisk }

type printingFile struct {
	mcap.File
	name string
	size int64
}

func (d printingDisk) create(path string) (mcap.File, error) {
	f, err := d.realDisk.create(path)
	return &printingFile{File: f, name: filepath.Base(path)}, err
}

func (f *printingFile) WriteAt(p []byte, off int64) (int, error) {
	f.size = max(f.size, off+int64(len(p)))
	return f.File.WriteAt(p, off)
}

func (f *printingFile) Sync() error {
	err := f.File.Sync()
	fmt.Printf("synced %s %d\n", f.name, f.size)
	return err
}

// TestVictim is the recorder that is killed.
func TestVictim(t *testing.T) {
	dir := os.Getenv(victimEnv)
	if dir == "" {
		t.Skip("not the victim")
	}
	transport := ros2test.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "victim", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	p, err := ros2.NewPublisher[std_msgs.UInt32](n, "number", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(Config{
		Node: n, Types: msgs.Definition, Select: Selection{AllTopics: true}, ChunkTime: 3 * time.Millisecond, ChunkSize: 16 << 10,
		MaxFileSize: 256 << 10, disk: printingDisk{},
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() { t.Error(r.Run(context.Background())) }()
	if err := r.Start(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	for p.SubscriptionCount() == 0 {
		spin(1000)
	}
	for i := uint32(0); ; i++ {
		if err := p.Publish(&std_msgs.UInt32{Data: i}); err != nil {
			t.Fatal(err)
		}
		spin(2000)
	}
}
