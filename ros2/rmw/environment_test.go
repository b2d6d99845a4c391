// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
)

func fromEnv(pairs ...string) (Config, error) {
	env := map[string]string{}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	return FromEnvironment(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
}

func TestFromEnvironment(t *testing.T) {
	a, b := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for _, c := range []struct {
		env  []string
		want Config
	}{
		{nil, Config{}},
		{[]string{"ROS_DOMAIN_ID=", "ROS_LOCALHOST_ONLY="}, Config{}},
		{[]string{"ROS_DOMAIN_ID=42"}, Config{DomainID: 42}},
		{[]string{"ROS_DOMAIN_ID= 0x1F "}, Config{DomainID: 31}},
		{[]string{"ROS_DOMAIN_ID=010"}, Config{DomainID: 8}},
		{[]string{"ROS_DOMAIN_ID=0"}, Config{}},
		{[]string{"ROS_DOMAIN_ID=232"}, Config{DomainID: 232}},
		{[]string{"ROS_LOCALHOST_ONLY=0"}, Config{}},
		{[]string{"ROS_LOCALHOST_ONLY=1", "ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET", "ROS_STATIC_PEERS=192.0.2.1"}, Config{Range: Localhost}},
		{[]string{"ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST"}, Config{Range: Localhost}},
		{[]string{"ROS_AUTOMATIC_DISCOVERY_RANGE=OFF"}, Config{Range: Off}},
		{[]string{"ROS_AUTOMATIC_DISCOVERY_RANGE=SYSTEM_DEFAULT"}, Config{}},
		{[]string{"ROS_STATIC_PEERS=192.0.2.1; 192.0.2.2;"}, Config{StaticPeers: []netip.Addr{a, b}}},
		{[]string{"ROS_STATIC_PEERS=robot-1.local;192.0.2.1;laptop"}, Config{StaticPeers: []netip.Addr{a}, StaticHosts: []string{"robot-1.local", "laptop"}}},
		{[]string{"ROS_LOCALHOST_ONLY=1", "ROS_STATIC_PEERS=laptop"}, Config{Range: Localhost}},
		{[]string{"RTPS_INTERFACES=wlan0; 192.0.2.0/24;", "RTPS_MULTICAST=on"}, Config{Interfaces: []string{"wlan0", "192.0.2.0/24"}}},
		{[]string{"RTPS_MAX_PARTICIPANTS=2000", "RTPS_DISCOVERY_MEMORY=128"}, Config{MaxParticipants: 2000, DiscoveryMemory: 128 << 20}},
		{[]string{"RTPS_MULTICAST=off", "ROS_STATIC_PEERS=192.0.2.1"}, Config{NoMulticast: true, StaticPeers: []netip.Addr{a}}},
	} {
		got, err := fromEnv(c.env...)
		if err != nil {
			t.Errorf("%q: %v", c.env, err)
		}
		if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b }), cmpopts.IgnoreFields(Config{}, "Resolve")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.env, diff)
		}
	}
}

func TestFromEnvironmentErrorsNameTheVariable(t *testing.T) {
	for _, env := range []string{
		"ROS_DOMAIN_ID=five", "ROS_DOMAIN_ID=-1", "ROS_DOMAIN_ID=233", "ROS_DOMAIN_ID=5x", "ROS_DOMAIN_ID=08",
		"ROS_DOMAIN_ID=0b1", "ROS_DOMAIN_ID=1_0", "ROS_DOMAIN_ID=99999999999999999999", "ROS_DOMAIN_ID=0x",
		"ROS_LOCALHOST_ONLY=yes", "ROS_AUTOMATIC_DISCOVERY_RANGE=subnet",
		"ROS_STATIC_PEERS=robot local", "ROS_STATIC_PEERS=192.0.2", "ROS_STATIC_PEERS=-robot", "ROS_STATIC_PEERS=a..b", "ROS_STATIC_PEERS=::1", "ROS_STATIC_PEERS=192.0.2.1;239.255.0.1", "ROS_STATIC_PEERS=0.0.0.0",
		"RTPS_MULTICAST=2", "RTPS_MULTICAST=maybe", "RTPS_SHARED_MEMORY=on", "RTPS_SHARED_MEMORY=2048", "RTPS_SHARED_MEMORY=-1", "RTPS_INTERFACES=wlan0,eth0", "RTPS_INTERFACES=wlan0 eth0",
		"RTPS_MAX_PARTICIPANTS=0", "RTPS_MAX_PARTICIPANTS=many", "RTPS_MAX_PARTICIPANTS=1000001", "RTPS_DISCOVERY_MEMORY=-1",
		"RTPS_DISCOVERY_MEMORY=0", "RTPS_DISCOVERY_MEMORY=2048",
	} {
		name, value, _ := strings.Cut(env, "=")
		cfg, err := fromEnv(env)
		if !errors.Is(err, ErrEnvironment) || !strings.Contains(err.Error(), name+"=") || cfg.DomainID != 0 {
			t.Errorf("%s=%s: %+v, %v", name, value, cfg, err)
		}
	}
}

func TestParticipantConfig(t *testing.T) {
	peer, lo := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("127.0.0.1")
	for _, c := range []struct {
		name        string
		cfg         Config
		localhost   bool
		noMulticast bool
		peers       []netip.Addr
	}{
		{"subnet", Config{StaticPeers: []netip.Addr{peer}}, false, false, []netip.Addr{peer}},
		{"localhost", Config{Range: Localhost}, true, false, nil},
		{"localhost and peers", Config{Range: Localhost, StaticPeers: []netip.Addr{peer}}, false, true, []netip.Addr{lo, peer}},
		{"localhost and hosts", Config{Range: Localhost, StaticHosts: []string{"laptop"}}, false, true, []netip.Addr{lo}},
		{"unicast only", Config{NoMulticast: true}, false, true, nil},
		{"off", Config{Range: Off, StaticPeers: []netip.Addr{peer}}, false, false, nil},
	} {
		p, err := c.cfg.participant()
		if err != nil {
			t.Fatal(err)
		}
		if p.LocalhostOnly != c.localhost || p.NoMulticast != c.noMulticast || len(p.Peers) != len(c.peers) {
			t.Errorf("%s: %+v", c.name, p)
		}
		if string(p.UserData) != "enclave=/;" {
			t.Errorf("%s: user data %q", c.name, p.UserData)
		}
		if _, isOff := p.Network.(offline); isOff != (c.cfg.Range == Off) {
			t.Errorf("%s: network %T", c.name, p.Network)
		}
	}
	for _, cfg := range []Config{{StaticHosts: []string{"a b"}}, {Range: 9}} {
		if _, err := New(cfg); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

func TestPermissiveSecurityWarnsOnceAndEnforceRefuses(t *testing.T) {
	for strategy, want := range map[security.Strategy]int{security.Off: 0, security.Permissive: 1} {
		var out bytes.Buffer
		tr, err := New(Config{Range: Off, Security: security.Settings{Strategy: strategy}, Logger: slog.New(slog.NewTextHandler(&out, nil))})
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		if got := strings.Count(out.String(), "level=WARN"); got != want || got != strings.Count(out.String(), "NOT SECURED") {
			t.Errorf("strategy %d: %d warnings, want %d:\n%s", strategy, got, want, &out)
		}
	}
	cfg, err := fromEnv("ROS_SECURITY_ENABLE=true", "ROS_SECURITY_STRATEGY=Enforce")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Range = Off
	if tr, err := New(cfg); !errors.Is(err, security.ErrUnavailable) || tr != nil || !strings.Contains(err.Error(), "ROS_SECURITY_KEYSTORE is not set") {
		t.Errorf("joined the network unprotected: %v", err)
	}
}
