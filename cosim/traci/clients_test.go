// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

var nan = math.NaN()

func order(n int) []byte { return wire.AppendCommand(nil, 3, wire.AppendInt(nil, n), false) }

func closing() []byte { return []byte{2, 0x7f} }

// eventually waits for a condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("not so after a minute: %s", what)
		}
	}
}

// ended reports whether the server has closed the connection.
func (p *peer) ended() bool {
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute))
	_, err := p.conn.Read(make([]byte, 1))
	return errors.Is(err, io.EOF) || err != nil && strings.Contains(err.Error(), "reset")
}

// Several clients say their order, and each waits for its own time: the second's long step ends when the first has made
// all its short ones.
func TestSeveralClients(t *testing.T) {
	g := serve(t, town, func(c *traci.Config) { c.Clients = 2 })
	second, first := g.connect(), g.connect()
	if result, text, _ := second.status(step(0)); result != wire.Failed || !strings.Contains(text, "Execution order not set") {
		t.Errorf("a step before the order: %d %q", result, text)
	}
	second.ok([]byte{2, 0})
	second.ok(order(2))
	if result, text, _ := first.status(order(2)); result != wire.Failed || text != "Order '2' is already taken." {
		t.Errorf("an order twice: %d %q", result, text)
	}
	first.ok(order(1))
	second.send(step(0.3))
	for i := range 3 {
		first.ok(step(0))
		if got := first.value(0xab, 0x66, ""); got.TypedDouble() != []float64{0.1, 0.2, 0.3}[i] {
			t.Errorf("step %d", i)
		}
	}
	first.send(step(0.9)) // it waits for the second
	c, _, err := wire.Next(second.receive())
	if err != nil || c.ID != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	second.ok(get(0xc4, 0x81, "a", small(3)...))
	second.ok(closing()) // the first continues alone
	first.receive()
	if got := first.value(0xab, 0x7a, "").TypedStrings(); len(got) != 1 || got[0] != "a" {
		t.Errorf("the first client hears of %q", got)
	}
	first.ok(closing())
	g.over()
}

// A client that the others have to wait for is named.
func TestStatusNamesWhoIsWaitedFor(t *testing.T) {
	g := serve(t, town, func(c *traci.Config) { c.Clients = 2 })
	status := func(what string) func() bool {
		return func() bool { return strings.Contains(g.server.Status().String(), what) }
	}
	eventually(t, "client 1", status("client 1 of 2 to connect"))
	a := g.connect()
	eventually(t, "client 2", status("client 2 of 2 to connect"))
	b := g.connect()
	a.ok(order(1))
	b.ok(order(2))
	eventually(t, "its command", status("client 1 ("+a.conn.LocalAddr().String()+") waits for its next command"))
	a.send(step(0))
	eventually(t, "the other's", status("client 2 ("+b.conn.LocalAddr().String()+") waits for its next command"))
}

// A connection that just ends leaves the world as it is; another client continues with it.
func TestEndOfConnectionIsNoEnd(t *testing.T) {
	g := serve(t, town, nil)
	p := g.connect()
	p.ok(step(1))
	_ = p.conn.Close()
	eventually(t, "the slot is free", func() bool {
		p = g.connect()
		p.send([]byte{2, 0})
		_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute))
		_, err := wire.ReadMessage(p.conn)
		return err == nil
	})
	if at := p.value(0xab, 0x66, "").TypedDouble(); at != 1 {
		t.Errorf("the next client comes at %g s", at)
	}
	if got := p.value(0xab, 0x74, "").TypedStrings(); len(got) != 2 {
		t.Errorf("it is notified that %q have departed", got)
	}
	p.ok(closing())
	g.over()
}

// A message without bounds ends its connection, and no other; commands that can't be read are answered, and the
// connection lives on.
func TestBrokenMessages(t *testing.T) {
	whole := func(b []byte) []byte { return append(wire.AppendInt(nil, len(b)+4), b...) }
	for name, c := range map[string]struct {
		bytes  []byte
		reason bool
	}{
		"a length too short":         {[]byte{0, 0, 0, 3}, false},
		"a negative length":          {[]byte{255, 255, 255, 255}, false},
		"two gigabytes":              {[]byte{127, 255, 255, 255, 0}, false},
		"a command beyond its end":   {whole([]byte{9, 0xa4}), true},
		"a command of length 1":      {whole([]byte{1, 0xa4}), true},
		"a question without object":  {whole([]byte{3, 0xa4, 0x42}), true},
		"a set without object":       {whole([]byte{3, 0xc4, 0x40}), true},
		"an object beyond its end":   {whole([]byte{7, 0xa4, 0x42, 0, 0, 0, 9}), true},
		"a value beyond its end":     {whole(get(0xc4, 0x40, "a", 0x0b, 0)), true},
		"a step without time":        {whole([]byte{2, 2}), true},
		"an order without number":    {whole([]byte{2, 3}), true},
		"half a subscription":        {whole([]byte{4, 0xd4, 0, 0}), true},
		"half a context":             {whole([]byte{4, 0x84, 0, 0}), true},
		"a subscription of too many": {whole(wire.AppendCommand(nil, 0xd4, append(append(make([]byte, 16), wire.AppendString(nil, "a")...), 9, 0x42), false)), true},
	} {
		g := serve(t, town, func(c *traci.Config) { c.Clients = 2 })
		bad, good := g.connect(), g.connect()
		bad.ok(order(1))
		good.ok(order(2))
		if _, err := bad.conn.Write(c.bytes); err != nil {
			t.Fatal(err)
		}
		if c.reason {
			got, _, err := wire.Next(bad.receive())
			if r := wire.NewReader(got.Body); err != nil || r.Byte() != wire.Failed || !strings.Contains(r.String(), "traci: ") {
				t.Errorf("%s: answer %+v, %v", name, got, err)
			}
		}
		if c.reason {
			bad.ok([]byte{2, 0})
			bad.ok(closing())
		} else if !bad.ended() {
			t.Errorf("%s: the connection stays open", name)
		}
		good.ok(step(0.5))
		good.ok(closing())
		g.over()
	}
}

// Only those on the list may connect, and without a list this machine alone listens to itself.
func TestAllowedNetworks(t *testing.T) {
	w, err := sim.ParseWorld([]byte(town))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: sim.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	list := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	for name, c := range map[string]struct {
		cfg  traci.Config
		want error
	}{
		"loopback":         {traci.Config{Address: "127.0.0.1:0"}, nil},
		"localhost":        {traci.Config{Address: "localhost:0"}, nil},
		"all, no list":     {traci.Config{Address: "0.0.0.0:0"}, traci.ErrAddress},
		"all by no name":   {traci.Config{Address: ":0"}, traci.ErrAddress},
		"a name, no list":  {traci.Config{Address: "example.org:0"}, traci.ErrAddress},
		"all, list":        {traci.Config{Address: "0.0.0.0:0", Allow: list}, nil},
		"no port":          {traci.Config{Address: "127.0.0.1"}, traci.ErrAddress},
		"too many clients": {traci.Config{Address: "127.0.0.1:0", Clients: 65}, traci.ErrConfig},
		"fewer than none":  {traci.Config{Address: "127.0.0.1:0", Clients: -1}, traci.ErrConfig},
		"odd step":         {traci.Config{Address: "127.0.0.1:0", Step: 15 * time.Millisecond}, traci.ErrConfig},
		"backward step":    {traci.Config{Address: "127.0.0.1:0", Step: -time.Second}, traci.ErrConfig},
		"negative timeout": {traci.Config{Address: "127.0.0.1:0", Timeout: -1}, traci.ErrConfig},
	} {
		c.cfg.Simulation, c.cfg.World = s, w
		server, err := traci.New(c.cfg)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err == nil {
			if err := errors.Join(server.Close(), server.Close()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := traci.New(traci.Config{}); !errors.Is(err, traci.ErrConfig) {
		t.Errorf("no world: %v", err)
	}
}

// One client too many is disconnected, the others continue.
func TestOneClientTooMany(t *testing.T) {
	g := serve(t, town, nil)
	p := g.connect()
	p.ok([]byte{2, 0})
	if q := g.connect(); !q.ended() {
		t.Error("a second client is served")
	}
	p.ok(step(0))
}

// A world that fails ends the run with its error; a run that is stopped ends without one.
func TestEndOfRun(t *testing.T) {
	w, err := sim.ParseWorld([]byte(town))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: sim.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for _, want := range []error{broken, nil} {
		server, err := traci.New(traci.Config{Simulation: s, World: w, Address: "127.0.0.1:0"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = server.Run(ctx, func(time.Duration) error {
			cancel()
			return want
		})
		if !errors.Is(err, want) {
			t.Errorf("the run ends with %v, want %v", err, want)
		}
		cancel()
	}
}

// The same commands make the same run, however fast they come.
func TestSameCommandsSameRun(t *testing.T) {
	var first [32]byte
	for i := range 4 {
		g := serve(t, town, nil)
		p := g.connect()
		for k := range 30 {
			if (k+i)%7 == 3 && i > 1 {
				for range 50 { // it takes its time
					p.ok([]byte{2, 0})
				}
			}
			p.ok(step(0))
			switch k {
			case 3:
				p.ok(get(0xc4, 0x40, "a", dbl(0.1)...))
				p.ok(get(0xc4, 0x40, "b", dbl(0.05)...))
			case 5:
				p.ok(get(0xc4, 0x85, "late", vehicle("", "e-puck2/firmware")...))
			case 8:
				p.ok(get(0xce, 0x80, "ann", human("DEFAULT_PEDTYPE", "town", -3, 1.5)...))
				p.ok(get(0xce, 0x7e, "ann", compound(txt("path"), txt("0.9,0.5"))...))
			case 20:
				p.ok(get(0xc4, 0x14, "a", compound(dbl(0), dbl(0.5))...))
			case 25:
				p.ok(get(0xc4, 0x81, "late", small(3)...))
			}
		}
		got := g.sim.TraceHash()
		if i == 0 {
			first = got
		} else if got != first {
			t.Errorf("run %d: %x, the first was %x", i, got, first)
		}
		p.ok(closing())
		g.over()
	}
}
