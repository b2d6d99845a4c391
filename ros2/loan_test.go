// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func newLoaning(t testing.TB, n *ros2.Node, topic string, qos ros2.QoS) *ros2.LoaningPublisher[chatter] {
	t.Helper()
	p, err := ros2.NewLoaningPublisher[chatter](n, topic, qos)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// heldLoans is a callback that keeps its loans.
type heldLoans struct{ all []ros2.ReceivedLoan[chatter] }

func (h *heldLoans) add(l ros2.Loan[chatter], info ros2.MessageInfo) {
	h.all = append(h.all, ros2.ReceivedLoan[chatter]{Loan: l, Info: info})
}

func listenLoaned(t testing.TB, n *ros2.Node, topic string, qos ros2.QoS, callback func(ros2.Loan[chatter], ros2.MessageInfo),
	opts ...ros2.SubscriptionOption) *ros2.LoanedSubscription[chatter] {
	t.Helper()
	s, err := ros2.NewLoanedSubscription[chatter](n, topic, qos, callback, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// publishLoan publishes a borrowed message and returns where it is.
func publishLoan(t testing.TB, p *ros2.LoaningPublisher[chatter], count int64) *chatter {
	t.Helper()
	l := p.Borrow()
	m := l.Message()
	m.Text, m.Count = "m", count
	if err := p.Publish(&l); err != nil {
		t.Fatal(err)
	}
	return m
}

// A loan passes by pointer, and its message is lent again when the last one that has it has returned it; a subscription
// that keeps its messages gets one of its own.
func TestLoanIsLentAgainWhenAllHaveReturnedIt(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	pub := newLoaning(t, n, "x", ros2.DefaultQoS())
	var a, b heldLoans
	listenLoaned(t, n, "x", ros2.DefaultQoS(), a.add)
	sub := listenLoaned(t, n, "x", ros2.DefaultQoS(), b.add)
	var own []*chatter
	if _, err := ros2.Listen(n, "x", ros2.DefaultQoS(), func(m *chatter) { own = append(own, m) }); err != nil {
		t.Fatal(err)
	}
	m := publishLoan(t, pub, 1)
	if len(a.all) != 1 || len(b.all) != 1 || a.all[0].Loan.Message() != m || b.all[0].Loan.Message() != m ||
		a.all[0].Info.Publisher != pub.GID() || a.all[0].Info.Sequence != 1 || pub.Topic() != "/x" {
		t.Fatalf("received %+v and %+v of %p", a.all, b.all, m)
	}
	if len(own) != 1 || own[0] == m || own[0].Count != 1 {
		t.Errorf("the other subscription received %v", own)
	}
	for range 2 {
		a.all[0].Loan.Return() // the second time it is none any more
	}
	if l := pub.Borrow(); l.Message() == m {
		t.Error("lent again while a subscription has it")
	}
	b.all[0].Loan.Return()
	if l := pub.Borrow(); l.Message() != m {
		t.Error("not lent again")
	}
	if got, _ := sub.Received(); got != 1 || a.all[0].Loan.Message() != nil {
		t.Errorf("counted %d", got)
	}
}

// Messages of other publishers and of other processes are decoded into the memory of returned ones.
func TestLoansOfMessagesFromTheNetwork(t *testing.T) {
	network := ros2test.NewNetwork()
	here, there := network.NewTransport(), network.NewTransport()
	defer here.Close()
	defer there.Close()
	n, far := newNode(t, here, "here"), newNode(t, there, "there")
	loaning := newLoaning(t, far, "x", ros2.DefaultQoS())
	plain, err := ros2.NewPublisher[chatter](far, "x", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	var got heldLoans
	listenLoaned(t, n, "x", ros2.DefaultQoS(), got.add)
	places := map[*chatter]bool{}
	for i := range int64(10) {
		publishLoan(t, loaning, 2*i)
		if err := plain.Publish(&chatter{Count: 2*i + 1}); err != nil {
			t.Fatal(err)
		}
		if len(got.all) != 2 || got.all[0].Loan.Message().Count != 2*i || got.all[1].Loan.Message().Count != 2*i+1 {
			t.Fatalf("round %d: received %+v", i, got.all)
		}
		for j := range got.all {
			places[got.all[j].Loan.Message()] = true
			got.all[j].Loan.Return()
		}
		got.all = got.all[:0]
	}
	if len(places) != 2 {
		t.Errorf("%d messages in memory, want 2", len(places))
	}
}

// A received loan is published again: the message passes a chain of nodes without a copy.
func TestLoanPassesAChain(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	first, second := newLoaning(t, n, "a", ros2.DefaultQoS()), newLoaning(t, n, "b", ros2.DefaultQoS())
	listenLoaned(t, n, "a", ros2.DefaultQoS(), func(l ros2.Loan[chatter], _ ros2.MessageInfo) {
		if err := second.Publish(&l); err != nil {
			t.Error(err)
		}
	})
	var end heldLoans
	listenLoaned(t, n, "b", ros2.DefaultQoS(), end.add)
	if m := publishLoan(t, first, 1); len(end.all) != 1 || end.all[0].Loan.Message() != m {
		t.Errorf("received %+v", end.all)
	}
}

// Neither lending, publishing, receiving nor waiting for an executor allocates, however many subscriptions there are.
func TestLoansDoNotAllocate(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	e := executor.NewSingleThreaded()
	n := newNode(t, tr, "n")
	pub := newLoaning(t, n, "x", ros2.DefaultQoS())
	var direct, spun int
	for range 10 {
		listenLoaned(t, n, "x", ros2.DefaultQoS(), func(l ros2.Loan[chatter], _ ros2.MessageInfo) {
			direct++
			l.Return()
		})
		listenLoaned(t, n, "x", ros2.DefaultQoS(), func(l ros2.Loan[chatter], _ ros2.MessageInfo) {
			spun++
			l.Return()
		}, ros2.InGroup(e.NewGroup(executor.Exclusive)))
	}
	if got := testing.AllocsPerRun(100, func() { publishLoan(t, pub, 1) }); got != 0 || direct != 1010 {
		t.Errorf("%v allocations per message, %d received", got, direct)
	}
	spin := func(messages int) float64 { // it starts a goroutine, which allocates
		return testing.AllocsPerRun(20, func() {
			for range messages {
				publishLoan(t, pub, 1)
			}
			if err := e.SpinSome(); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := e.SpinSome(); err != nil {
		t.Fatal(err)
	}
	spun = 0
	if few, many := spin(1), spin(9); many > few || spun != 21*10*10 {
		t.Errorf("%v allocations for 9 messages, %v for 1; %d received", many, few, spun)
	}
}

// While an executor does not spin a subscription holds as many loans as its depth; the others are lent again.
func TestLoansThatWaitForAnExecutor(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	e := executor.NewSingleThreaded()
	n := newNode(t, tr, "n")
	pub := newLoaning(t, n, "x", ros2.DefaultQoS())
	var received []int64
	sub := listenLoaned(t, n, "x", ros2.DefaultQoS().WithDepth(2), func(l ros2.Loan[chatter], _ ros2.MessageInfo) {
		received = append(received, l.Message().Count)
		l.Return()
	}, ros2.InGroup(e.NewGroup(executor.Exclusive)))
	places := map[*chatter]bool{}
	for i := range int64(20) {
		places[publishLoan(t, pub, i)] = true
	}
	if err := e.SpinSome(); err != nil {
		t.Fatal(err)
	}
	if got, _ := sub.Received(); !slices.Equal(received, []int64{18, 19}) || got != 2 || len(places) > 4 {
		t.Errorf("received %v, counted %d, %d messages in memory", received, got, len(places))
	}
}

// However many goroutines publish and keep loans, no message is lent again while a subscription reads it.
func TestLoansConcurrently(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	pub := newLoaning(t, n, "x", ros2.DefaultQoS())
	var received atomic.Int64
	check := func(l ros2.Loan[chatter]) {
		if m := l.Message(); m.Text != strings.Repeat("x", int(m.Count)) {
			t.Errorf("message %d is %q", m.Count, m.Text)
		}
		received.Add(1)
		l.Return()
	}
	later := make(chan ros2.Loan[chatter], 8)
	listenLoaned(t, n, "x", ros2.DefaultQoS(), func(l ros2.Loan[chatter], _ ros2.MessageInfo) { check(l) })
	listenLoaned(t, n, "x", ros2.DefaultQoS(), func(l ros2.Loan[chatter], _ ros2.MessageInfo) { later <- l })
	var publishers, readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for l := range later {
				check(l)
			}
		})
	}
	const goroutines, messages = 4, 500
	for range goroutines {
		publishers.Go(func() {
			for i := range messages {
				l := pub.Borrow()
				m := l.Message()
				m.Count = int64(i % 7)
				m.Text = strings.Repeat("x", i%7)
				if err := pub.Publish(&l); err != nil {
					t.Error(err)
				}
			}
		})
	}
	publishers.Wait()
	close(later)
	readers.Wait()
	if got := received.Load(); got != 2*goroutines*messages {
		t.Errorf("received %d of %d", got, 2*goroutines*messages)
	}
}

// Transient-local publishers keep what they have published, so they encode it.
func TestLoansOfTransientLocalPublishers(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	pub := newLoaning(t, n, "x", ros2.LatchedQoS())
	m := publishLoan(t, pub, 1)
	publishLoan(t, pub, 2)
	var late heldLoans
	listenLoaned(t, n, "x", ros2.LatchedQoS(), late.add)
	if len(late.all) != 1 || late.all[0].Loan.Message() == m || late.all[0].Loan.Message().Count != 2 || !pub.HasSubscribers() {
		t.Errorf("received %+v", late.all)
	}
}

func TestLoanErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	if _, err := ros2.NewLoaningPublisher[chatter](n, "a b", ros2.DefaultQoS()); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("bad name: %v", err)
	}
	if _, err := ros2.NewLoanedSubscription[chatter](n, "a b", ros2.DefaultQoS(),
		func(ros2.Loan[chatter], ros2.MessageInfo) {}); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("bad name: %v", err)
	}
	pub := newLoaning(t, n, "x", ros2.DefaultQoS())
	l := pub.Borrow()
	if err := pub.Publish(&l); err != nil {
		t.Error(err)
	}
	if err := pub.Publish(&l); !errors.Is(err, ros2.ErrReturned) || !strings.Contains(err.Error(), "/x") {
		t.Errorf("published twice: %v", err)
	}
	l = pub.Borrow()
	if err := pub.Close(); err != nil {
		t.Error(err)
	}
	if err := pub.Publish(&l); !errors.Is(err, ros2.ErrClosed) || l.Message() != nil {
		t.Errorf("published after Close: %v", err)
	}
}
