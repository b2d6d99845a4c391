// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// keyring is an authentication whose participants prove that they know a secret, with the messages of PKI-DH.
type keyring struct {
	secret string
	begun  atomic.Int32 // handshakes
	access *rules       // whose local permissions the peer of the same name has
}

func (k *keyring) Prefix(c wire.GUIDPrefix) wire.GUIDPrefix {
	c[0], c[1] = 0x80|c[2], c[3] // as identities do, it hides the vendor
	return c
}
func (k *keyring) IdentityToken() wire.DataHolder { return wire.DataHolder{ClassID: "Test:Auth:1.0"} }
func (k *keyring) PermissionsToken() wire.DataHolder {
	return wire.DataHolder{ClassID: "Test:Access:1.0"}
}

func (k *keyring) Begin(local, remote wire.GUID, data []byte, identity, _ wire.DataHolder) (security.Handshake, error) {
	if identity.ClassID != "Test:Auth:1.0" {
		return nil, errors.New("another plugin")
	}
	k.begun.Add(1)
	h := &proof{k: k, initiates: local.Compare(remote) < 0, nonce: make([]byte, 32), data: data}
	rand.Read(h.nonce)
	return h, nil
}

// proof is a handshake: each end shows that it knows the secret by a hash of both nonces.
type proof struct {
	k             *keyring
	initiates     bool
	nonce, others []byte
	data, theirs  []byte
}

func (h *proof) Initiates() bool                     { return h.initiates }
func (h *proof) AuthRequest() wire.DataHolder        { return h.token("AuthReq") }
func (h *proof) OnAuthRequest(wire.DataHolder) error { return nil }

// large makes messages longer than a datagram, as certificates are.
func (h *proof) token(kind string) wire.DataHolder {
	t := wire.DataHolder{ClassID: "Test:Auth:1.0+" + kind, Binary: []wire.BinaryProperty{{Name: "nonce", Value: h.nonce}, {Name: "c.pdata", Value: h.data}}}
	if h.others != nil {
		sum := h.sum(h.nonce, h.others)
		t.Binary = append(t.Binary, wire.BinaryProperty{Name: "proof", Value: sum[:]})
	}
	t.Binary = append(t.Binary, wire.BinaryProperty{Name: "c.id", Value: make([]byte, 3000)})
	return t
}

func (h *proof) sum(a, b []byte) [32]byte {
	return sha256.Sum256(slices.Concat([]byte(h.k.secret), a, b))
}

func (h *proof) check(t wire.DataHolder) error {
	others := t.Value("nonce")
	if sum := h.sum(others, h.nonce); !bytes.Equal(sum[:], t.Value("proof")) {
		return errors.New("the peer does not know the secret")
	}
	h.others, h.theirs = others, t.Value("c.pdata")
	return nil
}

func (h *proof) peer() *security.Peer {
	first, second := h.nonce, h.others
	if !h.initiates {
		first, second = second, first
	}
	return &security.Peer{Name: "test", Permissions: h.k.access.peers, Data: h.theirs,
		Secret: security.SharedSecret{Challenge1: first, Challenge2: second, Secret: h.sum(first, second)}}
}

func (h *proof) Request() (wire.DataHolder, error) { return h.token("Req"), nil }
func (h *proof) Reply(t wire.DataHolder) (wire.DataHolder, error) {
	h.others = t.Value("nonce")
	return h.token("Reply"), nil
}
func (h *proof) Final(t wire.DataHolder) (wire.DataHolder, *security.Peer, error) {
	if err := h.check(t); err != nil {
		return wire.DataHolder{}, nil, err
	}
	return h.token("Final"), h.peer(), nil
}
func (h *proof) Finish(t wire.DataHolder) (*security.Peer, error) {
	if err := h.check(t); err != nil {
		return nil, err
	}
	return h.peer(), nil
}

// rules are a governance: the same for every topic.
type rules struct {
	domain security.DomainRules
	topic  security.TopicRules
	local  permissions
	peers  permissions
}

func (r *rules) Domain() security.DomainRules     { return r.domain }
func (r *rules) Topic(string) security.TopicRules { return r.topic }
func (r *rules) Local() security.Permissions      { return r.local }

// permissions allow all topics except one.
type permissions struct{ noWriter, noReader string }

func (p permissions) Publish(topic string, _ []string) error {
	if topic == p.noWriter {
		return fmt.Errorf("%w: %s", security.ErrDenied, topic)
	}
	return nil
}
func (p permissions) Subscribe(topic string, _ []string) error {
	if topic == p.noReader {
		return fmt.Errorf("%w: %s", security.ErrDenied, topic)
	}
	return nil
}

// securedBy lets a participant know a secret, under a governance.
func securedBy(secret string, access rules) func(*rtps.Config) {
	return func(c *rtps.Config) {
		c.Security = &security.Config{Authentication: &keyring{secret: secret, access: &access}, Access: &access}
	}
}

// allProtected protects all that can be.
func allProtected(k, data security.Kind) rules {
	return rules{
		domain: security.DomainRules{JoinControl: true, RTPS: k, Discovery: k, Liveliness: k},
		topic:  security.TopicRules{Discovery: true, Liveliness: true, ReadControl: true, WriteControl: true, Metadata: k, Data: data},
	}
}

// governances are all kinds of protection, alone and together.
func governances() map[string]rules {
	list := map[string]rules{"none": {}}
	names := []string{"none", "sign", "encrypt", "sign with origin", "encrypt with origin"}
	for k := security.Sign; k <= security.EncryptWithOrigin; k++ {
		list["messages: "+names[k]] = rules{domain: security.DomainRules{RTPS: k}}
		list["discovery: "+names[k]] = rules{domain: security.DomainRules{Discovery: k}, topic: security.TopicRules{Discovery: true}}
		list["submessages: "+names[k]] = rules{topic: security.TopicRules{Metadata: k}}
		if k <= security.Encrypt {
			list["payloads: "+names[k]] = rules{topic: security.TopicRules{Data: k}}
			list["all: "+names[k]+" and payloads"] = allProtected(k, k)
		}
		list["all: "+names[k]] = allProtected(k, security.None)
	}
	return list
}

// secret must not be on the network.
var secret = []byte("the robot's secret position")

func TestSecuredParticipants(t *testing.T) {
	for name, g := range governances() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{Loss: 0.1, Duplicate: 0.05, Reorder: 0.05, Seed: 7})
				a, b := start(t, n.Host(1), securedBy("s", g)), start(t, n.Host(2), securedBy("s", g))
				w := writer(t, a, reliable, transientLocal, depth(20))
				write(t, w, append(number(0, 8), secret...))
				_, early := reader(t, b, reliable, transientLocal, depth(20))
				for i := 1; i < 10; i++ {
					write(t, w, append(number(i, 8+i*700), secret...))
				}
				eventually(t, time.Minute, "all samples", func() bool { return len(early.all()) == 10 })
				if got := early.numbers(); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
					t.Errorf("received %v", got)
				}
				for i, s := range early.all() {
					if want := append(number(i, max(8, 8+i*700)), secret...); !bytes.HasPrefix(s.Payload, want) {
						t.Errorf("sample %d differs", i)
					}
				}
				_, late := reader(t, b, reliable, transientLocal, depth(20))
				eventually(t, time.Minute, "samples of a late reader", func() bool { return len(late.all()) == 10 })
			})
		})
	}
}

// flows reports whether samples of a writer on one participant reach a reader on another within some time.
func flows(t testing.TB, from, to *rtps.Participant) bool {
	t.Helper()
	w := writer(t, from, reliable, transientLocal)
	r, in := reader(t, to, reliable, transientLocal)
	defer w.Close()
	defer r.Close()
	write(t, w, number(1, 20))
	for range 300 {
		if time.Sleep(100 * time.Millisecond); len(in.all()) > 0 {
			return true
		}
	}
	return false
}

// TestStrangersAreRefused: participants without identity, or with one of another authority, exchange nothing with
// secured ones.
func TestStrangersAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		g := allProtected(security.Encrypt, security.None)
		a := start(t, n.Host(1), securedBy("s", g))
		plain, other := start(t, n.Host(2)), start(t, n.Host(3), securedBy("guessed", g))
		weak := start(t, n.Host(4), securedBy("s", rules{}))
		for name, b := range map[string]*rtps.Participant{"without identity": plain, "of another authority": other, "with a weaker governance": weak} {
			if flows(t, b, a) || flows(t, a, b) {
				t.Errorf("a participant %s gets data through", name)
			}
		}
		if !flows(t, a, start(t, n.Host(5), securedBy("s", g))) {
			t.Error("nothing arrives where it should")
		}
		if drops := a.Stats().Dropped[rtps.DropSecurity]; drops == 0 {
			t.Error("nothing was counted as refused")
		}
		if s := a.Security(); s.Participants == 0 || s.Messages == 0 || s.Authenticated == 0 || s.Last == "" {
			t.Errorf("security: %+v", s)
		}
		if s := plain.Security(); s != (rtps.SecurityStatus{}) {
			t.Errorf("without security: %+v", s)
		}
	})
}

// TestUnauthenticatedParticipants use topics without protection if the governance allows that.
func TestUnauthenticatedParticipants(t *testing.T) {
	for _, c := range []struct {
		name string
		g    rules
		want bool
	}{
		{"allowed", rules{domain: security.DomainRules{AllowUnauthenticated: true}}, true},
		{"not allowed", rules{}, false},
		{"protected topic", rules{domain: security.DomainRules{AllowUnauthenticated: true}, topic: security.TopicRules{Data: security.Encrypt}}, false},
		{"controlled topic", rules{domain: security.DomainRules{AllowUnauthenticated: true}, topic: security.TopicRules{ReadControl: true}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{})
				a, b := start(t, n.Host(1), securedBy("s", c.g)), start(t, n.Host(2))
				if got := flows(t, a, b); got != c.want {
					t.Errorf("from the secured one: %v", got)
				}
				if got := flows(t, b, a); got != c.want {
					t.Errorf("to the secured one: %v", got)
				}
			})
		})
	}
}

// TestPermissions: what the permissions do not allow is refused at both ends.
func TestPermissions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		g := allProtected(security.Sign, security.Encrypt)
		denied := func(local, peers permissions) rules {
			r := g
			r.local, r.peers = local, peers
			return r
		}
		none := permissions{}
		a := start(t, n.Host(1), securedBy("s", denied(permissions{noWriter: topic}, none)))
		if _, err := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos()}); !errors.Is(err, security.ErrDenied) {
			t.Errorf("a writer: %v", err)
		}
		b := start(t, n.Host(2), securedBy("s", denied(permissions{noReader: topic}, none)))
		if _, err := b.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos()}); !errors.Is(err, security.ErrDenied) {
			t.Errorf("a reader: %v", err)
		}
		c := start(t, n.Host(3), securedBy("s", denied(none, permissions{noWriter: topic}))) // of all peers
		d := start(t, n.Host(4), securedBy("s", g))
		if flows(t, d, c) {
			t.Error("a writer without permission is read")
		}
		if !flows(t, c, d) {
			t.Error("its readers have permission")
		}
		e := start(t, n.Host(5), securedBy("s", denied(none, permissions{noReader: topic})))
		if flows(t, e, d) {
			t.Error("a reader without permission gets data")
		}
	})
}

// TestNothingIsReadable: with encryption, what is sent is not readable in any datagram.
func TestNothingIsReadable(t *testing.T) {
	for name, g := range governances() {
		if !g.domain.RTPS.Encrypted() && !g.topic.Metadata.Encrypted() && !g.topic.Data.Encrypted() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{})
				datagrams := 0
				n.Watch(func(_, _ netip.AddrPort, b []byte) {
					datagrams++
					if bytes.Contains(b, secret) {
						t.Errorf("readable: %x", b)
					}
				})
				a, b := start(t, n.Host(1), securedBy("s", g)), start(t, n.Host(2), securedBy("s", g))
				w := writer(t, a, reliable, transientLocal)
				write(t, w, append(number(1, 8), secret...))
				_, in := reader(t, b, reliable, transientLocal)
				eventually(t, time.Minute, "the sample", func() bool { return len(in.all()) == 1 })
				write(t, w, append(number(2, 8), secret...))
				w.Close()
				time.Sleep(time.Second)
				n.Watch(nil)
				if datagrams == 0 {
					t.Error("no datagrams")
				}
			})
		})
	}
}

// TestReplays: datagrams that are sent again, at once or later, deliver nothing again.
func TestReplays(t *testing.T) {
	for _, kind := range []option{reliable, bestEffort} {
		synctest.Test(t, func(t *testing.T) {
			n := vnet.New(vnet.Config{})
			g := allProtected(security.Sign, security.None)
			var recorded [][]byte
			var to netip.AddrPort
			n.Watch(func(from, dest netip.AddrPort, b []byte) {
				if from.Addr() == n.Host(1).Addr() && dest.Addr() == n.Host(2).Addr() {
					recorded, to = append(recorded, bytes.Clone(b)), dest
				}
			})
			a, b := start(t, n.Host(1), securedBy("s", g)), start(t, n.Host(2), securedBy("s", g))
			w := writer(t, a, kind)
			_, in := reader(t, b, kind)
			eventually(t, time.Minute, "match", func() bool { return w.Matched() == 1 })
			time.Sleep(time.Second)
			for i := range 50 {
				write(t, w, number(i, 20))
				time.Sleep(100 * time.Millisecond)
			}
			n.Watch(nil)
			list := recorded
			if got := len(in.all()); got != 50 {
				t.Errorf("%d samples", got)
			}
			for _, pause := range []time.Duration{0, time.Millisecond, 100 * time.Millisecond} {
				for _, datagram := range list {
					n.Inject(netip.AddrPortFrom(n.Host(1).Addr(), 8663), to, datagram)
					time.Sleep(pause)
				}
			}
			write(t, w, number(50, 20))
			time.Sleep(time.Second)
			if got := in.numbers(); len(got) != 51 || got[50] != 50 {
				t.Errorf("received %v", got)
			}
		})
	}
}

// TestForgedDisposalsOfSecured: a participant that is authenticated leaves only by secure discovery, or when its lease
// ends.
func TestForgedDisposalsOfSecured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		g := allProtected(security.Sign, security.None)
		a, b := start(t, n.Host(1), securedBy("s", g)), start(t, n.Host(2), securedBy("s", g))
		w := writer(t, a, reliable)
		r, _ := reader(t, b, reliable)
		eventually(t, time.Minute, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
		forged := wire.NewBuilder(1400)
		forged.Begin(a.GUID().Prefix)
		participant := wire.NewDispose(wire.EntitySPDPWriter, 1<<40, a.GUID())
		forged.Data(&participant)
		endpoint := wire.NewDispose(wire.EntityPublicationsWriter, 1, w.GUID())
		forged.Data(&endpoint)
		for _, port := range []uint16{8660, 8661, 8662, 8663} {
			n.Inject(netip.AddrPortFrom(n.Host(1).Addr(), 8663), netip.AddrPortFrom(n.Host(2).Addr(), port), forged.Bytes())
		}
		time.Sleep(time.Second)
		if r.Matched() != 1 || len(b.Participants()) != 1 {
			t.Error("a forged disposal was accepted")
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		eventually(t, 5*time.Second, "the end of the match", func() bool { return r.Matched() == 0 && len(b.Participants()) == 0 })
	})
}

// TestOneEndLosesTheOther: only one end's lease of the other has ended.
func TestOneEndLosesTheOther(t *testing.T) {
	for _, deaf := range []byte{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			n := vnet.New(vnet.Config{})
			g := allProtected(security.SignWithOrigin, security.Encrypt)
			a, b := start(t, n.Host(1), securedBy("s", g)), start(t, n.Host(2), securedBy("s", g))
			if !flows(t, a, b) {
				t.Fatal("nothing arrives")
			}
			n.Screen(func(_, to netip.Addr) bool { return to != n.Host(deaf).Addr() })
			time.Sleep(30 * time.Second)
			if len(a.Participants())+len(b.Participants()) != 1 {
				t.Errorf("%d and %d participants", len(a.Participants()), len(b.Participants()))
			}
			n.Screen(nil)
			if !flows(t, a, b) || !flows(t, b, a) {
				t.Error("nothing arrives afterwards")
			}
		})
	}
}
