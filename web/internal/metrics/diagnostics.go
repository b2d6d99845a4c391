// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

const (
	topic     = "/diagnostics"
	topicType = "diagnostic_msgs/msg/DiagnosticArray"
	// firstWait is how long the first scrape waits for diagnostics: robots publish them once a second.
	firstWait = 1500 * time.Millisecond
	// keepTime is how long the subscription is kept after a scrape: longer than the interval of scrapes.
	keepTime = 2 * time.Minute
	// forgetTime is the time after which an entry that is no longer published is removed; maxEntries is the maximum
	// number of entries.
	forgetTime = 30 * time.Second
	maxEntries = 1000
)

// Diagnostics subscribes to the robots' diagnostics while it is scraped. It is safe for concurrent use; Close ends
// it.
type Diagnostics struct {
	hub *hub.Hub

	following sync.Mutex    // taken before the hub's locks
	received  chan struct{} // closed at the first message
	cancel    func()        // nil while it is not scraped
	idle      *time.Timer
	closed    bool

	mu      sync.Mutex // taken after the hub's locks
	entries map[entryKey]entry
}

type entryKey struct{ hardware, status string }

type entry struct {
	level  byte
	values []diagnostic_msgs.KeyValue
	seen   time.Time
}

// NewDiagnostics returns a Diagnostics without a subscription.
func NewDiagnostics(h *hub.Hub) *Diagnostics {
	return &Diagnostics{hub: h, entries: map[entryKey]entry{}}
}

// subscribe subscribes if necessary, until there was no scrape for keepTime.
func (d *Diagnostics) subscribe() (received <-chan struct{}, err error) {
	d.following.Lock()
	defer d.following.Unlock()
	if d.closed {
		return nil, hub.ErrClosed
	}
	if d.cancel != nil {
		d.idle.Reset(keepTime)
		return d.received, nil
	}
	receivedNow := make(chan struct{})
	first := sync.OnceFunc(func() { close(receivedNow) })
	cancel, err := d.hub.Subscribe(topic, topicType, func(m *hub.Message) { d.store(m); first() })
	if err != nil {
		return nil, err
	}
	d.received, d.cancel = receivedNow, cancel
	d.idle = task.AfterFunc(keepTime, "end of diagnostics", d.rest)
	return receivedNow, nil
}

// store stores a message. It runs on a goroutine of the network.
func (d *Diagnostics) store(m *hub.Message) {
	var array diagnostic_msgs.DiagnosticArray
	if cdr.Unmarshal(m.Data, &array) != nil {
		return
	}
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range array.Status {
		key := entryKey{s.HardwareID, s.Name}
		if _, known := d.entries[key]; known || len(d.entries) < maxEntries {
			d.entries[key] = entry{s.Level, s.Values, now}
		}
	}
}

// rest ends the subscription.
func (d *Diagnostics) rest() {
	d.following.Lock()
	defer d.following.Unlock()
	if d.cancel != nil {
		d.cancel()
		d.cancel = nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.entries)
}

// Close ends the subscription. It may be called more than once.
func (d *Diagnostics) Close() {
	d.following.Lock()
	d.closed = true
	if d.idle != nil {
		d.idle.Stop()
	}
	d.following.Unlock()
	d.rest()
}

// Write writes the robots' latest diagnostics. The first call waits for them, until ctx ends or for firstWait.
func (d *Diagnostics) Write(ctx context.Context, t *Text) {
	received, err := d.subscribe()
	g := d.hub.Graph()
	if source, ok := g.Topic(topic); err == nil && ok && len(source.Publishers) > 0 {
		timeout := time.NewTimer(firstWait)
		defer timeout.Stop()
		select {
		case <-received:
		case <-timeout.C:
		case <-ctx.Done():
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.entries, func(_ entryKey, e entry) bool { return time.Since(e.seen) > forgetTime })
	keys := slices.SortedFunc(maps.Keys(d.entries), func(a, b entryKey) int {
		return cmp.Or(cmp.Compare(a.status, b.status), cmp.Compare(a.hardware, b.hardware))
	})
	t.Family("ros_diagnostic_level", "gauge", "Level of an entry of /diagnostics: 0 OK, 1 warning, 2 error, 3 stale.")
	for _, k := range keys {
		t.Sample("ros_diagnostic_level", float64(d.entries[k].level), k.labels()...)
	}
	t.Family("ros_diagnostic_value", "gauge", "A number in an entry of /diagnostics, in the unit given by its key.")
	for _, k := range keys {
		seen := map[string]bool{}
		for _, v := range d.entries[k].values {
			x, err := strconv.ParseFloat(v.Value, 64)
			if err != nil || seen[v.Key] {
				continue
			}
			seen[v.Key] = true
			key, unit := splitUnit(v.Key)
			t.Sample("ros_diagnostic_value", x, append(k.labels(), Label{"key", key}, Label{"unit", unit})...)
		}
	}
}

// labels returns the node, which is the part before a colon, the component, and its hardware.
func (k entryKey) labels() []Label {
	node, status, ok := strings.Cut(k.status, ": ")
	if !ok {
		node, status = "", k.status
	}
	return []Label{{"node", node}, {"status", status}, {"hardware", k.hardware}}
}

// splitUnit splits "longest poll (ms)" into the name and the unit.
func splitUnit(key string) (name, unit string) {
	name, rest, ok := strings.Cut(key, " (")
	if unit, closed := strings.CutSuffix(rest, ")"); ok && closed {
		return name, unit
	}
	return key, ""
}
