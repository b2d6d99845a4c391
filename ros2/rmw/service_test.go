// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Calls of std_srvs/srv/Trigger and their replies as captured from ROS 2 Humble.
const (
	fastRequest    = "0001000000000000"
	fastReply      = "000100000100000005000000646f6e6500"
	cycloneRequest = "0001000009197b972f5669e5010000000000000000000000"
	cycloneReply   = "0001000009197b972f5669e501000000000000000100000005000000646f6e6500"

	triggerRequest  = "std_srvs::srv::dds_::Trigger_Request_"
	triggerResponse = "std_srvs::srv::dds_::Trigger_Response_"
)

// half is a foreign client or server: its received samples and a writer.
type half struct {
	*rtps.Participant
	writer *rtps.Writer
	reader *rtps.Reader

	mu    sync.Mutex
	heard []rtps.Sample
}

// foreign creates a participant with the endpoints of a client or server of "/robot/reset" with the same USER_DATA.
func foreign(t *testing.T, network udp.Network, server bool, userData string, onSample func(*half, *rtps.Sample)) *half {
	t.Helper()
	p, err := rtps.NewParticipant(rtps.Config{Network: network})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	h := &half{Participant: p}
	writeTopic, readTopic := MangleService("/robot/reset")
	writeType, readType := triggerRequest, triggerResponse
	if server {
		writeTopic, readTopic, writeType, readType = readTopic, writeTopic, readType, writeType
	}
	qos := ros2.ServicesQoS()
	h.writer, err = p.NewWriter(rtps.WriterConfig{
		Topic: writeTopic, Type: writeType, UserData: []byte(userData), QoS: toDDS(qos, wire.DefaultWriterQoS()),
	})
	if err != nil {
		t.Fatal(err)
	}
	h.listen(t, readTopic, readType, userData, onSample)
	return h
}

// listen creates the reader.
func (h *half) listen(t *testing.T, topic, typ, userData string, onSample func(*half, *rtps.Sample)) {
	t.Helper()
	var err error
	h.reader, err = h.NewReader(rtps.ReaderConfig{
		Topic: topic, Type: typ, UserData: []byte(userData), QoS: readerQoS(ros2.ServicesQoS()),
		OnSample: func(s *rtps.Sample) {
			h.mu.Lock()
			kept := *s
			kept.Payload = bytes.Clone(s.Payload)
			h.heard = append(h.heard, kept)
			h.mu.Unlock()
			if onSample != nil {
				onSample(h, s)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// only returns the only received sample.
func (h *half) only(t *testing.T, who string) rtps.Sample {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.heard) != 1 {
		t.Fatalf("%s heard %d samples, want 1", who, len(h.heard))
	}
	return h.heard[0]
}

// disguise modifies a host's messages to look as if sent by Cyclone DDS: the vendor of each message, and that of each
// endpoint announced.
func disguise(net *vnet.Net, host netip.Addr) {
	own := []byte{0x16, 0, 4, 0, byte(wire.VendorOwn >> 8), byte(wire.VendorOwn & 0xff)}
	net.Watch(func(from, _ netip.AddrPort, datagram []byte) {
		if from.Addr() != host {
			return
		}
		copy(datagram[6:8], []byte{byte(wire.VendorCyclone >> 8), byte(wire.VendorCyclone & 0xff)})
		for i := bytes.Index(datagram, own); i >= 0; i = bytes.Index(datagram, own) {
			copy(datagram[i+4:], datagram[6:8])
		}
	})
}

// resetNode offers /robot/reset, which answers "done".
func resetNode(t *testing.T, tr ros2.Transport, log *slog.Logger) *ros2.Node {
	t.Helper()
	n := newNode(t, tr, "server", log)
	if _, err := ros2.NewService(n, std_srvs.Trigger{}, "reset",
		func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
			return &std_srvs.TriggerResponse{Success: true, Message: "done"}, nil
		}); err != nil {
		t.Fatal(err)
	}
	return n
}

// expectPayload compares a payload with a captured one, which padding may follow.
func expectPayload(t *testing.T, who string, got []byte, want string) {
	t.Helper()
	if b := unhex(t, want); !bytes.HasPrefix(got, b) || len(got)-len(b) > 3 {
		t.Errorf("%s heard\n%x, want\n%x", who, got, b)
	}
}

// One server answers clients of every mapping, each in its own form, and none gets another's reply.
func TestServerAnswersAllMappings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		disguise(net, net.Host(3).Addr())
		resetNode(t, open(t, net.Host(1)), nil)
		fast := foreign(t, net.Host(2), false, "", nil)
		cyclone := foreign(t, net.Host(3), false, "clientid= 1.10.fa.9b;", nil)
		basic := foreign(t, net.Host(4), false, "", nil)
		settle()
		if err := fast.writer.WriteRelated(wire.SampleIdentity{Writer: fast.reader.GUID(), SN: wire.SequenceNumberUnknown}, unhex(t, fastRequest)); err != nil {
			t.Fatal(err)
		}
		if err := cyclone.writer.Write(unhex(t, cycloneRequest)); err != nil {
			t.Fatal(err)
		}
		if err := basic.writer.Write(unhex(t, fastRequest)); err != nil {
			t.Fatal(err)
		}
		settle()
		s := fast.only(t, "the Fast DDS client")
		expectPayload(t, "the Fast DDS client", s.Payload, fastReply)
		if want := (wire.SampleIdentity{Writer: fast.reader.GUID(), SN: 1}); s.Related != want {
			t.Errorf("the Fast DDS client's reply names %v, want %v", s.Related, want)
		}
		s = cyclone.only(t, "the Cyclone DDS client")
		expectPayload(t, "the Cyclone DDS client", s.Payload, cycloneReply)
		if !s.Related.IsZero() {
			t.Errorf("the Cyclone DDS client's reply names %v", s.Related)
		}
		s = basic.only(t, "the client without identity")
		expectPayload(t, "the client without identity", s.Payload, fastReply)
		if want := (wire.SampleIdentity{Writer: basic.writer.GUID(), SN: 1}); s.Related != want {
			t.Errorf("the reply to a request without identity names %v, want %v", s.Related, want)
		}
	})
}

// A client calls a server of either mapping in the server's form.
func TestClientCallsAllMappings(t *testing.T) {
	for _, c := range []struct {
		name, userData string
		cyclone        bool
		reply          func(t *testing.T, h *half, s *rtps.Sample)
	}{
		{"Fast DDS", "", false, func(t *testing.T, h *half, s *rtps.Sample) {
			expectPayload(t, "the Fast DDS server", s.Payload, fastRequest)
			related := wire.SampleIdentity{Writer: s.Related.Writer, SN: s.SN}
			// Another client's reply, and one to a request that was never made.
			h.writer.WriteRelated(wire.SampleIdentity{Writer: h.writer.GUID(), SN: s.SN}, unhex(t, fastReply))
			h.writer.WriteRelated(wire.SampleIdentity{Writer: s.Related.Writer, SN: 99}, unhex(t, fastReply))
			if err := h.writer.WriteTo(s.Related.Writer, related, unhex(t, fastReply)); err != nil {
				t.Error(err)
			}
		}},
		{"Cyclone DDS", "serviceid= 1.10.fa;", true, func(t *testing.T, h *half, s *rtps.Sample) {
			if len(s.Payload) != len(unhex(t, cycloneRequest)) || !s.Related.IsZero() {
				t.Errorf("the Cyclone DDS server heard %x, related %v", s.Payload, s.Related)
				return
			}
			answer := append(bytes.Clone(s.Payload[:20]), unhex(t, cycloneReply)[20:]...)
			other := bytes.Clone(answer)
			other[4] ^= 0xff // another client's
			for _, payload := range [][]byte{other, answer[:10], answer} {
				if err := h.writer.Write(payload); err != nil {
					t.Error(err)
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := vnet.New(vnet.Config{Seed: 1})
				if c.cyclone {
					disguise(net, net.Host(2).Addr())
				}
				asker := newNode(t, open(t, net.Host(1)), "asker", nil)
				client, err := ros2.NewClient(asker, std_srvs.Trigger{}, "reset")
				if err != nil {
					t.Fatal(err)
				}
				server := foreign(t, net.Host(2), true, c.userData, func(h *half, s *rtps.Sample) { c.reply(t, h, s) })
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				for i := range 3 {
					res, err := client.Call(ctx, new(std_srvs.TriggerRequest))
					if err != nil || !res.Success || res.Message != "done" {
						t.Errorf("call %d: %+v, %v", i, res, err)
					}
				}
				server.Close()
				settle()
				if client.Available() {
					t.Error("available after the server left")
				}
			})
		})
	}
}

// A reply waits for the client's reader, up to replyTimeout.
func TestReplyWaitsForReader(t *testing.T) {
	for _, c := range []struct {
		delay time.Duration
		heard bool
	}{{replyTimeout / 2, true}, {3 * replyTimeout, false}} {
		synctest.Test(t, func(t *testing.T) {
			net := vnet.New(vnet.Config{Seed: 1})
			var log bytes.Buffer
			var mu sync.Mutex
			tr, err := New(Config{Network: net.Host(1), Logger: slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			resetNode(t, tr, nil)
			p := foreign(t, net.Host(2), false, "", nil)
			settle()
			p.reader.Close()
			settle()
			if err := p.writer.Write(unhex(t, fastRequest)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(c.delay)
			p.listen(t, "rr/robot/resetReply", triggerResponse, "", nil)
			settle()
			mu.Lock()
			defer mu.Unlock()
			if heard, complained := len(p.heard) == 1, strings.Contains(log.String(), "reply not sent"); heard != c.heard || complained == c.heard {
				t.Errorf("after %v: heard %v, complained %v", c.delay, heard, complained)
			}
		})
	}
}

func TestServiceErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		disguise(net, net.Host(2).Addr())
		var log bytes.Buffer
		var mu sync.Mutex
		tr, err := New(Config{Network: net.Host(1), Logger: slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, nil))})
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		var respond func([]byte) error
		cfg := ros2.ServiceConfig{Name: "/robot/reset", Type: "std_srvs/srv/Trigger"}
		s, err := tr.NewServer(ros2.ServerConfig{ServiceConfig: cfg, OnRequest: func(r ros2.Request) { respond = r.Respond }})
		if err != nil {
			t.Fatal(err)
		}
		cyclone := foreign(t, net.Host(2), false, "clientid= 1;", nil)
		settle()
		if err := cyclone.writer.Write(unhex(t, cycloneRequest)[:16]); err != nil {
			t.Fatal(err)
		}
		settle()
		mu.Lock()
		if respond != nil || !strings.Contains(log.String(), "request ignored") {
			t.Errorf("a request that ends in its header: taken %v, log %s", respond != nil, log.String())
		}
		mu.Unlock()
		if err := cyclone.writer.Write(unhex(t, cycloneRequest)); err != nil {
			t.Fatal(err)
		}
		settle()
		short := respond([]byte{0, 1})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		late := respond(unhex(t, fastReply))
		r, err := tr.NewRequester(ros2.ClientConfig{ServiceConfig: cfg, OnReply: func(int64, ros2.Sample) {}})
		if err != nil {
			t.Fatal(err)
		}
		bad := cfg
		bad.Type = "Trigger"
		_, serverType := tr.NewServer(ros2.ServerConfig{ServiceConfig: bad, OnRequest: func(ros2.Request) {}})
		_, clientType := tr.NewRequester(ros2.ClientConfig{ServiceConfig: bad, OnReply: func(int64, ros2.Sample) {}})
		_, noRequest := tr.NewServer(ros2.ServerConfig{ServiceConfig: cfg})
		_, noReply := tr.NewRequester(ros2.ClientConfig{ServiceConfig: cfg})
		expectErrors(t, map[string][2]error{
			"short reply": {short, ErrConfig}, "late reply": {late, ros2.ErrClosed},
			"short request": {r.Send(1, nil), ErrConfig}, "no server": {r.Send(1, unhex(t, fastRequest)), ros2.ErrNoServer},
			"server of a bad type": {serverType, ErrName}, "client of a bad type": {clientType, ErrName},
			"no OnRequest": {noRequest, ErrConfig}, "no OnReply": {noReply, ErrConfig},
		})
	})
}

// Forty clients that call at the same instant, on a lossy network, and forty calls of one client: all are answered,
// since the writers of requests and replies keep enough samples.
func TestManyClientsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 3, Loss: 0.05})
		resetNode(t, open(t, net.Host(1)), nil)
		asker := newNode(t, open(t, net.Host(2)), "asker", nil)
		var clients []*ros2.Client[std_srvs.TriggerRequest, std_srvs.TriggerResponse]
		for range 40 {
			c, err := ros2.NewClient(asker, std_srvs.Trigger{}, "reset")
			if err != nil {
				t.Fatal(err)
			}
			clients = append(clients, c)
		}
		for range 39 { // and the calls of one
			clients = append(clients, clients[0])
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var wg sync.WaitGroup
		for i, c := range clients {
			wg.Go(func() {
				if res, err := c.Call(ctx, new(std_srvs.TriggerRequest)); err != nil || !res.Success {
					t.Errorf("client %d: %v", i, err)
				}
			})
		}
		wg.Wait()
	})
}
