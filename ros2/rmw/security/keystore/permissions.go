// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"time"
)

// enclave is what an enclave may do and may not do. What neither allows is denied.
type enclave struct {
	path        string
	deny, allow rights
}

// rights are expressions for DDS topics.
type rights struct{ publish, subscribe []string }

// verb is an attribute of a policy: what it means for the DDS topics of a name, which takes the place of %s.
type verb struct {
	of                 string // element of the policy: topic, service or action
	publish, subscribe []string
}

// The DDS topics of services and actions, by ROS 2's mapping of names.
var (
	requests     = []string{"rq%sRequest"}
	replies      = []string{"rr%sReply"}
	goalRequests = []string{"rq%s/_action/cancel_goalRequest", "rq%s/_action/get_resultRequest", "rq%s/_action/send_goalRequest"}
	goalReplies  = []string{"rr%s/_action/cancel_goalReply", "rr%s/_action/get_resultReply", "rr%s/_action/send_goalReply"}
	goalTopics   = []string{"rt%s/_action/feedback", "rt%s/_action/status"}
)

// verbs are the attributes of SROS2's policies (sros2/policy/templates/dds/permissions.xsl).
var verbs = map[string]verb{
	"publish":   {of: "topic", publish: []string{"rt%s"}},
	"subscribe": {of: "topic", subscribe: []string{"rt%s"}},
	"request":   {of: "service", publish: requests, subscribe: replies},
	"reply":     {of: "service", publish: replies, subscribe: requests},
	"call":      {of: "action", publish: goalRequests, subscribe: slices.Concat(goalReplies, goalTopics)},
	"execute":   {of: "action", publish: slices.Concat(goalReplies, goalTopics), subscribe: goalRequests},
}

// everything is an enclave that may use all topics, services and actions, as SROS2's new enclaves may.
func everything(path string) *enclave {
	e := &enclave{path: path}
	for _, v := range []string{"publish", "subscribe", "request", "reply", "call", "execute"} {
		e.add(v, true, "/*")
	}
	return e
}

// add allows or denies a verb for names, which begin with a slash.
func (e *enclave) add(name string, allow bool, names ...string) {
	r := &e.deny
	if allow {
		r = &e.allow
	}
	v := verbs[name]
	for _, n := range names {
		for _, format := range v.publish {
			r.publish = append(r.publish, fmt.Sprintf(format, n))
		}
		for _, format := range v.subscribe {
			r.subscribe = append(r.subscribe, fmt.Sprintf(format, n))
		}
	}
}

// graphTopic is the topic on which ROS 2's middlewares announce nodes.
const graphTopic = "ros_discovery_info"

// permissions returns the permissions document of the enclave for one domain (DDS Security 1.1, 9.4.1.3). The first
// rule that matches decides, so what is denied comes first.
func (e *enclave) permissions(domain uint32, from, to time.Time) []byte {
	const layout = "2006-01-02T15:04:05"
	var b bytes.Buffer
	b.WriteString(`<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
		`xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_permissions.xsd">` + "\n")
	fmt.Fprintf(&b, "  <permissions>\n    <grant name=\"%s\">\n      <subject_name>CN=%s</subject_name>\n", escaped(e.path), escaped(e.path))
	fmt.Fprintf(&b, "      <validity>\n        <not_before>%s</not_before>\n        <not_after>%s</not_after>\n      </validity>\n",
		from.UTC().Format(layout), to.UTC().Format(layout))
	e.deny.write(&b, "deny_rule", domain)
	e.allow.write(&b, "allow_rule", domain)
	graph := rights{publish: []string{graphTopic}, subscribe: []string{graphTopic}}
	graph.write(&b, "allow_rule", domain)
	b.WriteString("      <default>DENY</default>\n    </grant>\n  </permissions>\n</dds>\n")
	return b.Bytes()
}

// write writes a rule, unless it is empty.
func (r rights) write(b *bytes.Buffer, rule string, domain uint32) {
	if len(r.publish)+len(r.subscribe) == 0 {
		return
	}
	fmt.Fprintf(b, "      <%s>\n        <domains>\n          <id>%d</id>\n        </domains>\n", rule, domain)
	for _, side := range []struct {
		element string
		topics  []string
	}{{"publish", r.publish}, {"subscribe", r.subscribe}} {
		if len(side.topics) == 0 {
			continue
		}
		topics := slices.Clone(side.topics)
		slices.Sort(topics)
		fmt.Fprintf(b, "        <%s>\n          <topics>\n", side.element)
		for _, t := range slices.Compact(topics) {
			fmt.Fprintf(b, "            <topic>%s</topic>\n", escaped(t))
		}
		fmt.Fprintf(b, "          </topics>\n        </%s>\n", side.element)
	}
	fmt.Fprintf(b, "      </%s>\n", rule)
}

// escaped returns a text for XML.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes all
	return b.String()
}
