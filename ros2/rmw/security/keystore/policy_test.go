// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"encoding/xml"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// policyText returns a policy with the given content in the profile of node "talker" in namespace /demo.
func policyText(inside string) []byte {
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>
<policy version="0.2.0" xmlns:xi="http://www.w3.org/2001/XInclude"><enclaves><enclave path="/talker"><profiles>
<profile ns="/demo" node="talker">` + inside + `</profile></profiles></enclave></enclaves></policy>`)
}

// TestPolicy translates each word of a policy to the DDS topics of permissions.xsl.
func TestPolicy(t *testing.T) {
	for _, c := range []struct{ inside, denied, publish, subscribe string }{
		{`<topics publish="ALLOW"><topic>chatter</topic><topic>/a</topic><topic>~b</topic></topics>`, "", "rt/a rt/demo/chatter rt/demo/talkerb", ""},
		{`<topics subscribe="ALLOW" publish="DENY"><topic>c</topic></topics>`, "rt/demo/c", "", "rt/demo/c"},
		{`<services request="ALLOW"><service>s</service></services>`, "", "rq/demo/sRequest", "rr/demo/sReply"},
		{`<services reply="ALLOW"><service>s</service></services>`, "", "rr/demo/sReply", "rq/demo/sRequest"},
		{`<actions call="ALLOW"><action>x</action></actions>`, "",
			"rq/demo/x/_action/cancel_goalRequest rq/demo/x/_action/get_resultRequest rq/demo/x/_action/send_goalRequest",
			"rr/demo/x/_action/cancel_goalReply rr/demo/x/_action/get_resultReply rr/demo/x/_action/send_goalReply " +
				"rt/demo/x/_action/feedback rt/demo/x/_action/status"},
		{`<actions execute="ALLOW"><action>x</action></actions>`, "",
			"rr/demo/x/_action/cancel_goalReply rr/demo/x/_action/get_resultReply rr/demo/x/_action/send_goalReply " +
				"rt/demo/x/_action/feedback rt/demo/x/_action/status",
			"rq/demo/x/_action/cancel_goalRequest rq/demo/x/_action/get_resultRequest rq/demo/x/_action/send_goalRequest"},
	} {
		p, err := ParsePolicy(policyText(c.inside))
		if err != nil {
			t.Errorf("%s: %v", c.inside, err)
			continue
		}
		sorted := func(list []string) string {
			list = slices.Clone(list)
			slices.Sort(list)
			return strings.Join(list, " ")
		}
		e := p.enclaves[0]
		if sorted(e.deny.publish) != c.denied || sorted(e.allow.publish) != c.publish || sorted(e.allow.subscribe) != c.subscribe {
			t.Errorf("%s: %+v", c.inside, e)
		}
	}
}

// TestWrongPolicies: what SROS2's schema does not allow is an error, so that no rule is left out silently.
func TestWrongPolicies(t *testing.T) {
	for _, c := range []struct{ document, want string }{
		{string(policyText(`<topics publish="allow"><topic>a</topic></topics>`)), "want ALLOW or DENY"},
		{string(policyText(`<topics reply="ALLOW"><topic>a</topic></topics>`)), `unknown attribute "reply"`},
		{string(policyText(`<topics publish="ALLOW"><service>a</service></topics>`)), "unknown element <service>"},
		{string(policyText(`<topics publish="ALLOW"><topic></topic></topics>`)), "not one name"},
		{string(policyText(`<topics publish="ALLOW"><topic><b/></topic></topics>`)), "not one name"},
		{string(policyText(`<topic>a</topic>`)), "unknown element <topic>"},
		{string(policyText(`<xi:include href="node.xml"/>`)), "xmllint --xinclude"},
		{strings.Replace(string(policyText("")), `"/demo"`, `"demo"`, 1), "begins with /"},
		{strings.Replace(string(policyText("")), "0.2.0", "0.1.0", 1), "want 0.2.0"},
		{strings.Replace(string(policyText("")), `"/talker"`, `"../talker"`, 1), "no name"},
		{string(policyText("")) + "<policy/>", "after </policy>"},
		{"<dds/>", "expected element type <policy>"},
		{"", "EOF"},
	} {
		if _, err := ParsePolicy([]byte(c.document)); !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.300s: %v, want %q", c.document, err, c.want)
		}
	}
}

// TestCreatePermission writes what a policy has, what it denies first, valid as long as the certificate.
func TestCreatePermission(t *testing.T) {
	k, folder := newKeystore(t, "/talker")
	p, err := ParsePolicy(policyText(`<topics publish="ALLOW"><topic>a</topic></topics><topics publish="DENY"><topic>/b</topic></topics>`))
	if err != nil {
		t.Fatal(err)
	}
	if err := k.CreatePermission("/talker", p, 7); err != nil {
		t.Fatal(err)
	}
	text := string(read(t, folder, "enclaves/talker/permissions.xml"))
	at := 0
	for _, want := range []string{
		"<subject_name>CN=/talker</subject_name>", "<not_before>2026-08-31T08:00:00</not_before>", "<not_after>2036-08-29T08:00:00</not_after>",
		"<deny_rule>", "<id>7</id>", "<topic>rt/b</topic>", "<allow_rule>", "<topic>rt/demo/a</topic>", "<allow_rule>", "ros_discovery_info", "<default>DENY</default>",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("%s is not in the rest of\n%s", want, text)
		}
		at += i + len(want)
	}
	for _, name := range []string{"/listener", "listener"} {
		if err := k.CreatePermission(name, p, 7); !errors.Is(err, ErrEnclave) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.enclaves[0].path = "/other"
	if err := k.CreatePermission("/other", p, 7); !errors.Is(err, ErrEnclave) || !strings.Contains(err.Error(), "create it first") {
		t.Errorf("an enclave that the keystore does not have: %v", err)
	}
}

// FuzzPolicy: no document makes it panic, and what is read can be written as permissions.
func FuzzPolicy(f *testing.F) {
	f.Add(policyText(`<topics publish="ALLOW"><topic>~a</topic></topics><actions call="DENY"><action>x</action></actions>`))
	f.Add([]byte(`<policy version="0.2.0"><enclaves><enclave path="/a"><profiles><metadata/></profiles></enclave></enclaves></policy>`))
	f.Fuzz(func(t *testing.T, document []byte) {
		p, err := ParsePolicy(document)
		if err != nil {
			if !errors.Is(err, ErrPolicy) {
				t.Error(err)
			}
			return
		}
		for i := range p.enclaves {
			e := &p.enclaves[i]
			if text := e.permissions(0, time.Time{}, time.Time{}); xml.Unmarshal(text, new(struct{})) != nil {
				t.Errorf("enclave %q: %q", e.path, text)
			}
		}
	})
}
