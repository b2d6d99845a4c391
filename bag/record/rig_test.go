// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// rig is a network with a node that talks and one that records. Its time is synctest's.
type rig struct {
	t      *testing.T
	net    *ros2test.Network
	talker *ros2.Node
	r      *Recorder
	dir    string
	cancel context.CancelFunc
	result chan error
	log    *logBuffer
	lossy  bool // messages are lost in this test, which the recorder must report
}

// inBubble runs a test in synctest's time; what is left open is a failure there.
func inBubble(t *testing.T, cfg Config, f func(g *rig)) {
	t.Helper()
	dir := quickDir(t)
	synctest.Test(t, func(t *testing.T) {
		g := &rig{t: t, net: ros2test.NewNetwork(), dir: dir, result: make(chan error, 1), log: &logBuffer{}}
		g.talker = g.node("talker", g.net.NewTransport(), false)
		g.r = g.recorder(cfg)
		f(g)
		g.stop()
	})
}

func (g *rig) node(name string, transport ros2.Transport, standard bool) *ros2.Node {
	g.t.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: transport, Standard: standard})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = n.Close(); _ = transport.Close() })
	return n
}

// recorder makes and runs a recorder.
func (g *rig) recorder(cfg Config) *Recorder {
	g.t.Helper()
	return g.recorderOn(cfg, g.net.NewTransport())
}

// recorderOn makes and runs a recorder on a transport.
func (g *rig) recorderOn(cfg Config, transport ros2.Transport) *Recorder {
	g.t.Helper()
	cfg.Node = g.node("recorder", transport, false)
	cfg.Logger = g.log.logger()
	if cfg.Types == nil {
		cfg.Types = msgs.Definition
	}
	if cfg.Select.Empty() {
		cfg.Select.AllTopics = true
	}
	r, err := New(cfg)
	if err != nil {
		g.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel = cancel
	go func() { g.result <- r.Run(ctx) }()
	synctest.Wait()
	g.r = r
	return r
}

// start begins the bag NAME and lets the recorder look at the network.
func (g *rig) start(name string) string {
	g.t.Helper()
	dir := filepath.Join(g.dir, name)
	if err := g.r.Start(g.t.Context(), dir); err != nil {
		g.t.Fatal(err)
	}
	g.settle()
	return dir
}

// settle lets the recorder do what it has to: look at the network, write and sync.
func (g *rig) settle() {
	time.Sleep(2 * defaultChunkTime)
	synctest.Wait()
}

// stop ends the recorder; the bag is complete then.
func (g *rig) stop() {
	g.t.Helper()
	if g.cancel == nil {
		return
	}
	g.cancel()
	g.cancel = nil
	err := <-g.result
	if g.lossy != errors.Is(err, errLost) {
		g.t.Errorf("messages are lost: %t; the recorder ended with: %v", g.lossy, err)
	}
	if err != nil && !g.lossy {
		g.t.Error(err)
	}
}

// publisher offers a topic of texts.
func (g *rig) publisher(topic string, qos ros2.QoS) func(text string) {
	g.t.Helper()
	p, err := ros2.NewPublisher[std_msgs.String](g.talker, topic, qos)
	if err != nil {
		g.t.Fatal(err)
	}
	return func(text string) {
		g.t.Helper()
		if err := p.Publish(&std_msgs.String{Data: text}); err != nil {
			g.t.Fatal(err)
		}
		synctest.Wait()
	}
}

// texts are the messages of a bag of texts, as "topic text".
func texts(t testing.TB, dir string) []string {
	t.Helper()
	b, err := bag.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if len(b.Damage) > 0 {
		t.Errorf("damage: %v", b.Damage)
	}
	var out []string
	for m, err := range b.Messages(bag.Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m.Topic.Name+" "+text(m.Data))
	}
	return out
}

// text is the text of an encoded std_msgs/String.
func text(cdr []byte) string {
	if len(cdr) < 9 {
		return fmt.Sprintf("%x", cdr)
	}
	return strings.TrimRight(string(cdr[8:]), "\x00")
}

// logBuffer keeps log lines.
type logBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// quickDir is a folder in memory where there is one.
func quickDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "record")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// smallDisk is a real folder on a disk that is small.
type smallDisk struct {
	realDisk
	mu    sync.Mutex
	total int64
	files map[string]*smallFile
}

type smallFile struct {
	mcap.File
	d    *smallDisk
	size int64
}

func newSmallDisk(total int64) *smallDisk {
	return &smallDisk{total: total, files: map[string]*smallFile{}}
}

func (d *smallDisk) used() (n int64) {
	for _, f := range d.files {
		n += f.size
	}
	return n
}

// resize makes the disk larger or smaller, as other programs do.
func (d *smallDisk) resize(total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total = total
}

func (d *smallDisk) create(path string) (mcap.File, error) {
	f, err := d.realDisk.create(path)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[path] = &smallFile{File: f, d: d}
	return d.files[path], nil
}

func (d *smallDisk) space(string) (free, total int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return max(0, d.total-d.used()), d.total, nil
}

func (d *smallDisk) remove(path string) error {
	d.mu.Lock()
	delete(d.files, path)
	d.mu.Unlock()
	return d.realDisk.remove(path)
}

func (f *smallFile) WriteAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if grow := off + int64(len(p)) - f.size; f.d.used()+grow > f.d.total {
		n := max(0, len(p)-int(f.d.used()+grow-f.d.total)) // part of it, as a real one
		_, _ = f.File.WriteAt(p[:n], off)
		return n, syscall.ENOSPC
	}
	f.size = max(f.size, off+int64(len(p)))
	return f.File.WriteAt(p, off)
}

func (f *smallFile) Truncate(n int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.size = n
	return f.File.Truncate(n)
}
