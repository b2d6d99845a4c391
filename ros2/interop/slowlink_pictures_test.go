// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// pictureSize is a picture as a peer writes it: a kind and, for a blob, its size.
type pictureSize string

const (
	picture640 pictureSize = "image"       // 921,600 bytes
	picture320 pictureSize = "blob 230400" // as large as 320×240 in rgb8
)

// command returns what creates an endpoint of the size and what writes one picture.
func (p pictureSize) command(id string) (kind, write string) {
	var size string
	_, _ = fmt.Sscan(string(p), &kind, &size)
	return kind, fmt.Sprintf("write %s 1 %s", id, size)
}

// traffic is what a peer writes over a slow link: pictures, and a small reliable sample 20 times a second, as odom.
type traffic struct {
	size  pictureSize
	qos   qos
	hertz float64 // of the pictures

	from, to       *peer
	written, whole int // pictures written, and arrived with every byte right
	small          int // small samples written
}

func (r *traffic) String() string {
	return fmt.Sprintf("%v, %v, %v/s", r.size, r.qos.words(), r.hertz)
}

// start matches the endpoints.
func (r *traffic) start(from, to *peer) {
	r.from, r.to = from, to
	kind, _ := r.size.command("")
	small := qos{reliable: true, depth: 1000}
	to.send("reader small string %s %s", chatter, small.words())
	to.send("reader picture %s %s %s", kind, images, r.qos.words())
	from.send("writer small string %s %s", chatter, small.words())
	from.send("writer picture %s %s %s", kind, images, r.qos.words())
	for _, id := range []string{"small", "picture"} {
		from.matched(id, 1)
		to.matched(id, 1)
	}
}

// flow writes until enough pictures have arrived or the time is over. Those in flight then do not count.
func (r *traffic) flow(t testing.TB, enough int, limit time.Duration) {
	t.Helper()
	small, picture := time.NewTicker(50*time.Millisecond), time.NewTicker(time.Duration(float64(time.Second)/r.hertz))
	defer small.Stop()
	defer picture.Stop()
	_, write := r.size.command("picture")
	for end := time.Now().Add(limit); r.whole < enough && time.Now().Before(end); {
		select {
		case <-small.C:
			r.from.send("write small 1")
			r.small++
		case <-picture.C:
			r.from.send("%s", write)
			r.written++
		}
		for r.take(t) {
		}
	}
}

// take counts a picture that has arrived.
func (r *traffic) take(t testing.TB) bool {
	e, ok, _, _ := r.to.events.take(func(e event) bool { return e.Event == "sample" && e.ID == "picture" })
	if !ok {
		return false
	}
	if e.Wrong != 0 || e.Size != imageSize && e.Size != 230_400-blobOverhead {
		t.Errorf("%.300s", e.line)
	}
	r.whole++
	return true
}

// TestPicturesOnSlowLink: whole pictures arrive over a link that is slower than they are written, although its queue
// holds a tenth of one, while every small sample arrives as well.
func TestPicturesOnSlowLink(t *testing.T) {
	whole := 8
	if !suite.Long {
		whole = 3
	}
	for _, link := range slowLinks() {
		for _, r := range pictureTraffics() {
			if !suite.Long && (r.size != picture640 || r.hertz < 15) || link.routed && !r.qos.reliable {
				continue // no reader reports what best effort loses in a router
			}
			for _, to := range []string{"ours", cyclone.name, fastdds.name} {
				t.Run(fmt.Sprintf("%v, %v to %v", link, &r, to), func(t *testing.T) {
					t.Parallel()
					hosts, domain := link.hosts(t), newDomain()
					r := r
					r.start(startNamed(t, "ours", hosts[0], domain), startNamed(t, to, hosts[1], domain))
					r.flow(t, whole, timeout)
					if r.whole < whole {
						t.Errorf("%d whole pictures of %d", r.whole, r.written)
					}
					expectStrings(t, r.to, "small", 1, r.small)
				})
			}
		}
	}
}

// TestBestEffortSharesTheRate: a best-effort reader, which reports no loss, gets whole pictures through a router with a
// short queue if a reliable one of the same participant reports what the path carries.
func TestBestEffortSharesTheRate(t *testing.T) {
	const whole = 2
	t.Parallel()
	hosts, domain := slowLink{queue: 50 * time.Millisecond, routed: true}.hosts(t), newDomain()
	r := traffic{size: picture640, qos: qos{reliable: true, depth: 1}, hertz: 15}
	from, to := startNamed(t, "ours", hosts[0], domain), startNamed(t, "ours", hosts[1], domain)
	r.start(from, to)
	to.send("reader besteffort image %s %s", images, qos{depth: 1}.words())
	to.matched("besteffort", 1)
	arrived := 0
	for end := time.Now().Add(timeout); arrived < whole && time.Now().Before(end); {
		r.flow(t, r.whole+1, time.Second)
		arrived = to.stats("besteffort").Received
	}
	if arrived < whole {
		t.Errorf("%d whole pictures with best effort, %d reliable ones", arrived, r.whole)
	}
}

// slowLinks are the links of TestPicturesOnSlowLink.
func slowLinks() []slowLink {
	const queue = 50 * time.Millisecond
	return []slowLink{{queue: queue}, {queue: queue, routed: true}}
}

// pictureTraffics are the ways in which pictures are published.
func pictureTraffics() []traffic {
	return []traffic{
		{size: picture640, qos: qos{reliable: true, depth: 1}, hertz: 15},
		{size: picture640, qos: qos{depth: 1}, hertz: 15},
		{size: picture640, qos: qos{reliable: true, depth: 1}, hertz: 1},
		{size: picture640, qos: qos{depth: 1}, hertz: 1},
		{size: picture320, qos: qos{reliable: true, depth: 1}, hertz: 15},
		{size: picture320, qos: qos{depth: 1}, hertz: 15},
	}
}

// startNamed runs a peer on a host: ours or a stack by its name.
func startNamed(t testing.TB, name string, h *host, domain uint32) *peer {
	t.Helper()
	for _, s := range stacks {
		if s.name == name {
			return s.startOn(t, h, domain)
		}
	}
	return startOursOn(t, h, domain)
}

// BenchmarkSlowLink measures how many complete pictures of 640×480 arrive a second of 15 written, from each stack to
// each, in sequence over the same kind of link.
func BenchmarkSlowLink(b *testing.B) {
	const duration = 10 * time.Second
	names := []string{"ours", cyclone.name, fastdds.name}
	for _, link := range slowLinks() {
		for _, q := range []qos{{reliable: true, depth: 1}, {depth: 1}} {
			for _, from := range names {
				for _, to := range names {
					b.Run(fmt.Sprintf("%v/%v/%v-%v", link, q.words(), from, to), func(b *testing.B) {
						whole := 0
						for b.Loop() {
							hosts, domain := link.hosts(b), newDomain()
							r := traffic{size: picture640, qos: q, hertz: 15}
							r.start(startNamed(b, from, hosts[0], domain), startNamed(b, to, hosts[1], domain))
							r.flow(b, 1000, duration)
							whole += r.whole
						}
						b.ReportMetric(float64(whole)/float64(b.N)/duration.Seconds(), "pictures/s")
					})
				}
			}
		}
	}
}
