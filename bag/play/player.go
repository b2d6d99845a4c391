// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Player plays one bag. Its methods are safe for concurrent use; [Player.Run] does the work.
type Player struct {
	cfg        Config
	start, end int64 // log times of the played part, ns since 1970
	writers    map[*bag.Topic]Output
	latched    map[*bag.Topic]bool
	names      map[string]published // by the name on the network
	clock      *ros2.SharedPublisher[rosgraph_msgs.Clock]
	commands   chan command
	done       chan struct{}
	missing    []string // topics and services that were named and are not in the bag

	mu     sync.Mutex
	status Status

	// Of the goroutine in Run.
	next   func() (bag.Message, error, bool)
	stop   func()
	head   bag.Message // the next message; its topic is nil at the end
	paused bool
	rate   float64
	from   int64     // log time …
	at     time.Time // … at this time
	played uint64
	// unreadable is the first error of reading.
	unreadable error
}

// Status is the state of a player.
type Status struct {
	// Start, End and Now are log times.
	Start, End, Now time.Time
	Paused          bool
	// Ended: no message is left; only visible with [Config.Stay].
	Ended bool
	Rate  float64
	// Messages is the number of published messages.
	Messages uint64
}

type command struct {
	do     func() error
	result chan error
}

const clockTopic = "/clock"

// New creates the topics of the bag; nothing is published before Run.
func New(cfg Config) (*Player, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	first, last := cfg.Bag.Span()
	if int64(cfg.Offset) > last-first { // before adding, which may overflow
		return nil, fmt.Errorf("%w: it is %v long", errPlace, time.Duration(last-first))
	}
	p := &Player{
		cfg: cfg, writers: map[*bag.Topic]Output{}, latched: map[*bag.Topic]bool{}, names: map[string]published{}, commands: make(chan command), done: make(chan struct{}),
		start: first + int64(cfg.Offset), end: last + 1, paused: cfg.Paused, rate: cfg.Rate, stop: func() {},
	}
	if cfg.Duration > 0 && int64(cfg.Duration) < p.end-p.start {
		p.end = p.start + int64(cfg.Duration)
	}
	if !cfg.Until.IsZero() {
		p.end = min(p.end, cfg.Until.UnixNano()+1)
	}
	p.status = Status{Start: time.Unix(0, p.start), End: time.Unix(0, p.end-1), Now: time.Unix(0, p.start), Paused: p.paused, Rate: p.rate}
	p.missing = cfg.warnOfMissing()
	if err := p.open(); err != nil {
		return nil, errors.Join(err, p.absence())
	}
	if p.publishesClock() {
		var err error
		if p.clock, err = ros2.NewSharedPublisher[rosgraph_msgs.Clock](cfg.Node, clockTopic, ros2.QoS{Depth: 1}); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	return p, nil
}

func (p *Player) publishesClock() bool {
	return p.cfg.Clock > 0 || p.cfg.ClockBefore != nil || len(p.cfg.ClockTopics) > 0
}

// clockBefore reports whether /clock is published before each message of a topic.
func (p *Player) clockBefore(topic string) bool {
	return p.cfg.ClockBefore != nil && p.cfg.ClockBefore(topic) || slices.Contains(p.cfg.ClockTopics, topic)
}

// absence returns an error that matches [ErrNotInBag] if something that was named is not in the bag.
func (p *Player) absence() error {
	if len(p.missing) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrNotInBag, strings.Join(p.missing, ", "))
}

// damage returns an error that matches [ErrDamaged] if parts of the bag could not be read.
func (p *Player) damage() error {
	if n := len(p.cfg.Bag.Damage); n > 0 {
		return fmt.Errorf("%w: %d places, the first is %s", ErrDamaged, n, p.cfg.Bag.Damage[0])
	}
	if p.unreadable != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, p.unreadable)
	}
	return nil
}

// Run plays until the end, or until ctx ends; then it closes the topics. The error matches [ErrNotInBag] if something
// that was named is not in the bag, and [ErrDamaged] if parts of it cannot be read; the rest was played. With [Config.Loop] it matches [ErrEmpty] if the played part
// has no message. It may be called once.
func (p *Player) Run(ctx context.Context) (err error) {
	defer close(p.done)
	defer func() { err = errors.Join(err, p.absence(), p.damage()) }()
	defer func() { err = errors.Join(err, p.close()) }()
	defer func() { p.stop() }()
	for {
		if err := p.sleep(ctx, p.cfg.Delay); err != nil {
			return orderly(ctx, err)
		}
		if err := ctx.Err(); err != nil {
			return orderly(ctx, err)
		}
		if err := p.jump(p.start, p.firstTime()); err != nil {
			return err
		}
		if p.cfg.Loop && p.head.Topic == nil { // it would begin again without end
			return fmt.Errorf("%w from %v to %v", ErrEmpty, time.Unix(0, p.start), time.Unix(0, p.end-1))
		}
		if err := p.play(ctx); err != nil {
			return orderly(ctx, err)
		}
		if !p.cfg.Loop {
			return orderly(ctx, p.sleep(ctx, linger))
		}
	}
}

// linger is how long the topics are kept after the last message, for retransmissions.
const linger = 200 * time.Millisecond

var errStop = errors.New("play: stop")

// orderly returns nil for a requested end, else the error.
func orderly(ctx context.Context, err error) error {
	if errors.Is(err, errStop) || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

func (p *Player) firstTime() int64 {
	first, _ := p.cfg.Bag.Span()
	return first
}

// sleep waits for d and executes requests meanwhile.
func (p *Player) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := p.cfg.Time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case <-timer.C():
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case c := <-p.commands:
			err := c.do()
			c.result <- err
			if errors.Is(err, errStop) {
				return err
			}
		}
	}
}

// play publishes messages at their times until the end.
func (p *Player) play(ctx context.Context) error {
	tick := p.newTicks()
	defer tick.stop()
	timer := p.cfg.Time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		if err := p.publishClockIfDue(tick); err != nil { // before messages with the same time
			return err
		}
		if err := p.publishDue(ctx); err != nil {
			return err
		}
		p.report()
		if p.head.Topic == nil && !p.paused {
			if !p.cfg.Stay || p.cfg.Loop {
				return nil
			}
			p.halt()
		}
		if !p.paused {
			timer.Reset(p.until(p.head.LogTime))
		}
		select {
		case <-timer.C():
		case <-tick.c:
			tick.next()
			if err := p.publishClock(p.now()); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case c := <-p.commands:
			err := c.do()
			c.result <- err
			if errors.Is(err, errStop) {
				return err
			}
		}
	}
}

// publishDue publishes the messages that are due.
func (p *Player) publishDue(ctx context.Context) error {
	for !p.paused && p.head.Topic != nil && p.now() >= p.head.LogTime {
		if err := p.publish(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// now returns the current log time.
func (p *Player) now() int64 {
	if p.paused {
		return p.from
	}
	passed := math.Round(float64(p.cfg.Time.Now().Sub(p.at)) * p.rate)
	if passed >= float64(p.end-p.from) { // a rate may exceed the range of a time
		return max(p.from, p.end)
	}
	return p.from + int64(passed)
}

// until returns the time until the log time is due, at most an hour: at a very low rate it exceeds the range of a
// duration.
func (p *Player) until(t int64) time.Duration {
	return time.Duration(min(max(0, math.Ceil(float64(t-p.now())/p.rate)), float64(time.Hour)))
}

// rebase makes the current time the new reference.
func (p *Player) rebase() { p.from, p.at = p.now(), p.cfg.Time.Now() }

// jump seeks to a log time and publishes the latched messages between since and there.
func (p *Player) jump(to, since int64) error {
	p.stop()
	if since < to {
		if err := p.relatch(since, to); err != nil {
			return err
		}
	}
	p.next, p.stop = iter.Pull2(p.cfg.Bag.Messages(bag.Range{Start: to, End: p.end, Topic: p.plays}))
	p.from, p.at = to, p.cfg.Time.Now()
	return p.advance()
}

// relatch publishes the last transient-local messages of a skipped part.
func (p *Player) relatch(from, to int64) error {
	last := map[*bag.Topic][]bag.Message{}
	for m, err := range p.cfg.Bag.Messages(bag.Range{Start: from, End: to, Topic: func(t *bag.Topic) bool { return p.latched[t] }}) {
		if err != nil {
			p.warnUnreadable(err)
			continue
		}
		last[m.Topic] = append(last[m.Topic], m)
		if n := len(last[m.Topic]); n > keptMessages {
			last[m.Topic] = last[m.Topic][n-keptMessages:]
		}
	}
	for _, t := range p.cfg.Bag.Topics() {
		for _, m := range last[t] {
			if err := p.writers[t].Write(m.Data); err != nil {
				return fmt.Errorf("topic %s: %w", t.Name, err)
			}
		}
	}
	return nil
}

// warnUnreadable logs that a part of the bag could not be read.
func (p *Player) warnUnreadable(err error) {
	if p.unreadable == nil {
		p.unreadable = err
	}
	p.cfg.Logger.Warn("a part of the bag can't be read", "error", err)
}

func (p *Player) plays(t *bag.Topic) bool { return p.writers[t] != nil }

// advance reads the next message.
func (p *Player) advance() error {
	for {
		m, err, ok := p.next()
		if err != nil {
			p.warnUnreadable(err)
			continue
		}
		if !ok {
			m = bag.Message{}
		}
		p.head = m
		return nil
	}
}

// halt pauses at the end.
func (p *Player) halt() {
	p.from, p.at, p.paused = p.end-1, p.cfg.Time.Now(), true
	p.report()
}

// publish publishes the next message.
func (p *Player) publish() error {
	m := p.head
	if p.clockBefore(m.Topic.Name) {
		if err := p.publishClock(m.LogTime); err != nil {
			return err
		}
	}
	if err := p.writers[m.Topic].Write(m.Data); err != nil {
		return fmt.Errorf("topic %s: %w", m.Topic.Name, err)
	}
	p.played++
	return p.advance()
}

// publishClock publishes /clock.
func (p *Player) publishClock(ns int64) error {
	if p.clock == nil {
		return nil
	}
	var m rosgraph_msgs.Clock
	m.Clock.Sec, m.Clock.Nanosec = ros2.Stamp(time.Unix(0, ns))
	return p.clock.Publish(&m)
}

// publishClockIfDue publishes /clock if it is due.
func (p *Player) publishClockIfDue(t *ticks) error {
	select {
	case <-t.c:
		t.next()
		return p.publishClock(p.now())
	default:
		return nil
	}
}

func (p *Player) report() {
	s := Status{
		Start: time.Unix(0, p.start), End: time.Unix(0, p.end-1), Now: time.Unix(0, min(p.now(), p.end-1)),
		Paused: p.paused, Ended: p.head.Topic == nil, Rate: p.rate, Messages: p.played,
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = s
}

// ticks are the publication times of /clock.
type ticks struct {
	c      <-chan time.Time // nil if Clock is 0
	timer  ros2.Timer
	period time.Duration
}

func (p *Player) newTicks() *ticks {
	if p.cfg.Clock <= 0 {
		return &ticks{}
	}
	t := &ticks{period: time.Duration(float64(time.Second) / p.cfg.Clock)}
	t.timer = p.cfg.Time.NewTimer(0)
	t.c = t.timer.C()
	return t
}

func (t *ticks) next() { t.timer.Reset(t.period) }

func (t *ticks) stop() {
	if t.timer != nil {
		t.timer.Stop()
	}
}
