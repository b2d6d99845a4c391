// SPDX-License-Identifier: Apache-2.0

package security

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestDomainInfo: the attributes of 9.4.2.3 and 9.4.2.4 for each kind of protection.
func TestDomainInfo(t *testing.T) {
	for _, c := range []struct {
		rules DomainRules
		want  wire.SecurityInfo
	}{
		{DomainRules{}, wire.SecurityInfo{Attributes: 0x80000000, Plugin: 0x80000000}},
		{DomainRules{AllowUnauthenticated: true, JoinControl: true}, wire.SecurityInfo{Attributes: 0x80000000, Plugin: 0x80000000}},
		{DomainRules{RTPS: Sign}, wire.SecurityInfo{Attributes: 0x80000001, Plugin: 0x80000000}},
		{DomainRules{RTPS: Encrypt}, wire.SecurityInfo{Attributes: 0x80000001, Plugin: 0x80000001}},
		{DomainRules{RTPS: SignWithOrigin}, wire.SecurityInfo{Attributes: 0x80000001, Plugin: 0x80000008}},
		{DomainRules{RTPS: EncryptWithOrigin}, wire.SecurityInfo{Attributes: 0x80000001, Plugin: 0x80000009}},
		{DomainRules{Discovery: EncryptWithOrigin}, wire.SecurityInfo{Attributes: 0x80000002, Plugin: 0x80000012}},
		{DomainRules{Liveliness: EncryptWithOrigin}, wire.SecurityInfo{Attributes: 0x80000004, Plugin: 0x80000024}},
		{DomainRules{RTPS: Sign, Discovery: Encrypt, Liveliness: Sign}, wire.SecurityInfo{Attributes: 0x80000007, Plugin: 0x80000002}},
	} {
		if got := c.rules.Info(); got != c.want {
			t.Errorf("%+v: %x, want %x", c.rules, got, c.want)
		}
	}
}

// TestTopicInfo: the attributes of 9.4.2.5 and 9.4.2.6.
func TestTopicInfo(t *testing.T) {
	for _, c := range []struct {
		rules TopicRules
		want  wire.SecurityInfo
	}{
		{TopicRules{}, wire.SecurityInfo{Attributes: 0x80000000, Plugin: 0x80000000}},
		{TopicRules{ReadControl: true}, wire.SecurityInfo{Attributes: 0x80000001, Plugin: 0x80000000}},
		{TopicRules{WriteControl: true}, wire.SecurityInfo{Attributes: 0x80000002, Plugin: 0x80000000}},
		{TopicRules{Discovery: true}, wire.SecurityInfo{Attributes: 0x80000004, Plugin: 0x80000000}},
		{TopicRules{Metadata: Sign}, wire.SecurityInfo{Attributes: 0x80000008, Plugin: 0x80000000}},
		{TopicRules{Metadata: EncryptWithOrigin}, wire.SecurityInfo{Attributes: 0x80000008, Plugin: 0x80000005}},
		{TopicRules{Data: Sign}, wire.SecurityInfo{Attributes: 0x80000010, Plugin: 0x80000000}},
		{TopicRules{Data: Encrypt}, wire.SecurityInfo{Attributes: 0x80000030, Plugin: 0x80000002}},
		{TopicRules{Liveliness: true}, wire.SecurityInfo{Attributes: 0x80000040, Plugin: 0x80000000}},
	} {
		if got := c.rules.Info(); got != c.want {
			t.Errorf("%+v: %x, want %x", c.rules, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for k, want := range map[Kind][3]bool{
		None: {}, Sign: {true, false, false}, Encrypt: {true, true, false},
		SignWithOrigin: {true, false, true}, EncryptWithOrigin: {true, true, true},
	} {
		if got := [3]bool{k.Protected(), k.Encrypted(), k.Origin()}; got != want {
			t.Errorf("kind %d: %v, want %v", k, got, want)
		}
	}
}
