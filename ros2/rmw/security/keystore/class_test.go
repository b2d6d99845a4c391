// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const classText = `
domain: 7
robots: [epuck1, epuck10]
teachers: [teacher]
students: {anna: [epuck1], ben: [epuck10, epuck1]}
readers: [screen]
`

// may reports whether rights allow a topic. path.Match takes no * across slashes, so they become another letter.
func (e *enclave) may(publish bool, topic string) bool {
	matches := func(r rights) bool {
		list := r.subscribe
		if publish {
			list = r.publish
		}
		return slices.ContainsFunc(list, func(pattern string) bool {
			ok, err := path.Match(strings.ReplaceAll(pattern, "/", "|"), strings.ReplaceAll(topic, "/", "|"))
			return err == nil && ok
		})
	}
	return !matches(e.deny) && matches(e.allow)
}

// TestRightsOfAClass lists which enclaves have the right to use which topics.
func TestRightsOfAClass(t *testing.T) {
	c, err := ParseClass([]byte(classText))
	if err != nil {
		t.Fatal(err)
	}
	p := c.policy()
	for _, row := range []struct {
		topic           string
		publish, readBy string // names, sorted
	}{
		{"rt/epuck1/cmd_vel", "anna ben epuck1 teacher", "anna ben epuck1 screen teacher"},
		{"rt/epuck10/cmd_vel", "ben epuck10 teacher", "anna ben epuck10 screen teacher"},
		{"rt/epuck10/odom", "ben epuck10 teacher", "anna ben epuck10 screen teacher"},
		{"rt/tf", "epuck1 epuck10 teacher", "anna ben epuck1 epuck10 screen teacher"},
		{"rt/rosout", "anna ben epuck1 epuck10 screen teacher", "anna ben epuck1 epuck10 screen teacher"},
		{"rt/clock", "teacher", "anna ben epuck1 epuck10 screen teacher"},
		{"rt/cmd_vel", "teacher", "anna ben screen teacher"},
		{"rt/anna/map", "anna teacher", "anna ben screen teacher"},
		{"rq/epuck1/epuck_driver/set_parametersRequest", "anna ben epuck1 teacher", "anna ben epuck1 teacher"},
		{"rq/epuck1/epuck_driver/get_parametersRequest", "anna ben epuck1 screen teacher", "anna ben epuck1 teacher"},
		{"rr/epuck1/reset_odometryReply", "anna ben epuck1 teacher", "anna ben epuck1 teacher"},
		{"rr/teleop/get_parametersReply", "anna ben screen teacher", "anna ben screen teacher"},
	} {
		var publish, subscribe []string
		for i := range p.enclaves {
			e := &p.enclaves[i]
			if e.may(true, row.topic) {
				publish = append(publish, e.path[1:])
			}
			if e.may(false, row.topic) {
				subscribe = append(subscribe, e.path[1:])
			}
		}
		slices.Sort(publish)
		slices.Sort(subscribe)
		if strings.Join(publish, " ") != row.publish || strings.Join(subscribe, " ") != row.readBy {
			t.Errorf("%s: published by %s, read by %s; want %s and %s", row.topic, publish, subscribe, row.publish, row.readBy)
		}
	}
}

// TestCreateClass: a class that changes keeps its keys and gets other rights.
func TestCreateClass(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	c, err := ParseClass([]byte(classText))
	if err != nil {
		t.Fatal(err)
	}
	names, err := CreateClass(folder, c, now)
	if err != nil || fmt.Sprint(names) != "[/epuck1 /epuck10 /teacher /anna /ben /screen]" {
		t.Fatal(names, err)
	}
	key := read(t, folder, "enclaves/anna/key.pem")
	governance := read(t, folder, "enclaves/governance.xml")
	if !bytes.Contains(governance, []byte("<metadata_protection_kind>ENCRYPT_WITH_ORIGIN_AUTHENTICATION<")) {
		t.Errorf("%s", governance)
	}
	c.Students["anna"], c.Protection = []string{"epuck10"}, "sign"
	if _, err := CreateClass(folder, c, now); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(key, read(t, folder, "enclaves/anna/key.pem")) {
		t.Error("anna has another key")
	}
	if text := read(t, folder, "enclaves/anna/permissions.xml"); bytes.Contains(text, []byte("<topic>rt/epuck1/*</topic>")) {
		t.Errorf("anna may still drive epuck1:\n%s", text)
	}
	if text := read(t, folder, "enclaves/governance.p7s"); !bytes.Contains(text, []byte(">SIGN_WITH_ORIGIN_AUTHENTICATION<")) {
		t.Errorf("%s", text)
	}
}

// TestWrongClasses names each mistake.
func TestWrongClasses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"robots: []", "robots: there is none"},
		{"robots: [a]\ndomain: 233", "domain: 233"},
		{"robots: [a]\nprotection: none", "protection"},
		{"robots: [a, a]", `"a" is there twice`},
		{"robots: [a]\nteachers: [a]", `"a" is there twice`},
		{"robots: [a/b]", "slash"},
		{"robots: ['a*']", "no name"},
		{"robots: [a]\nstudents: {anna: [b]}", `students: anna: there is no robot "b"`},
		{"robots: [a]\nteacher: x", "field teacher not found"},
		{"robots: a: b", "mapping values"},
		{"", "EOF"},
	} {
		if _, err := ParseClass([]byte(c.text)); !errors.Is(err, ErrClass) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// FuzzClass: no text makes it panic, and each class that is read has rights for everybody.
func FuzzClass(f *testing.F) {
	f.Add([]byte(classText))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ParseClass(text)
		if err != nil {
			return
		}
		if got, want := len(c.policy().enclaves), len(c.names()); got != want {
			t.Errorf("%d enclaves, want %d", got, want)
		}
	})
}
