// SPDX-License-Identifier: Apache-2.0

package card

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// putKeys puts an enclave for a domain next to epuck.txt.
func (c *testCard) putKeys(t *testing.T, name, domain, mark string) {
	t.Helper()
	for _, f := range []string{"identity_ca.cert.pem", "cert.pem", "key.pem", "permissions_ca.cert.pem", "permissions.p7s"} {
		c.put(t, c.Boot, name+"/"+f, mark+" "+f)
	}
	c.put(t, c.Boot, name+"/governance.p7s", "<domains>\n<id>"+domain+"</id>\n")
}

// keys gives the files of the keys that the service has, by name, of which it checks that others can't read them.
func (c *testCard) keys(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(c.Root, "etc/epuck-driver"), func(path string, d os.DirEntry, err error) error {
		if err != nil || path == filepath.Join(c.Root, "etc/epuck-driver") {
			return err
		}
		info, err := d.Info()
		if want := map[bool]os.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
		if d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, c.Root+"/")] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

const securityBlock = securityBegin + `ROS_SECURITY_ENABLE=true
ROS_SECURITY_STRATEGY=Enforce
ROS_SECURITY_KEYSTORE=/etc/epuck-driver/keys
ROS_SECURITY_ENCLAVE_OVERRIDE=/epuck1
` + securityEnd

// The keys next to epuck.txt are the service's, stay when the folder is deleted, are replaced by others, and go.
func TestKeysOfTheCard(t *testing.T) {
	c := newCard(t, "ros_domain = 7\nkeys = epuck1\n")
	c.putKeys(t, "epuck1", "7", "first")
	c.put(t, c.Root, "etc/default/epuck-driver", "# mine\n")
	environment := func() string {
		text, err := readFile(c.Root, "etc/default/epuck-driver")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	r, log := c.apply(t)
	key := keysFolder + "/enclaves/epuck1/key.pem"
	if all := c.keys(t); len(r.Mistakes) > 0 || len(all) != 6 || all[key] != "first key.pem" {
		t.Errorf("%+v, %v", r, all)
	}
	if !slices.Equal(c.ran, []string{"chown[-R epuck:epuck " + filepath.Join(c.Root, keysNew) + "]"}) || strings.Contains(log, "key.pem") {
		t.Errorf("%q, %s", c.ran, log)
	}
	domain := blockBegin + "ROS_DOMAIN_ID=7\n" + blockEnd
	if environment() != "# mine\n"+securityBlock+domain {
		t.Errorf("%s", environment())
	}
	if r, _ := c.apply(t); r.Applied {
		t.Error("the same keys are applied twice")
	}
	c.putKeys(t, "epuck1", "7", "second")
	c.put(t, c.Boot, "epuck1/crl.pem", "revoked")
	if r, _ := c.apply(t); !r.Applied || c.keys(t)[key] != "second key.pem" || len(c.keys(t)) != 7 || len(r.Mistakes) > 0 {
		t.Errorf("%+v, %v", r, c.keys(t))
	}
	if err := os.RemoveAll(filepath.Join(c.Boot, "epuck1")); err != nil {
		t.Fatal(err)
	}
	if r, _ := c.apply(t); len(r.Mistakes) > 0 || c.keys(t)[key] != "second key.pem" || environment() != "# mine\n"+securityBlock+domain {
		t.Errorf("%+v, %v, %s", r, c.keys(t), environment())
	}
	// A line without a value, and one that is an explanation, leave the keys in force.
	for _, text := range []string{"keys =\n", "# keys = epuck1\n"} {
		c.put(t, c.Boot, "epuck.txt", text)
		if c.apply(t); len(c.keys(t)) != 7 || environment() != "# mine\n"+securityBlock {
			t.Errorf("%q: %v, %s", text, c.keys(t), environment())
		}
	}
	c.put(t, c.Boot, "epuck.txt", "keys = off\n")
	if c.apply(t); len(c.keys(t)) > 0 || environment() != "# mine\n" {
		t.Errorf("%v, %s", c.keys(t), environment())
	}
}

// Keys that are missing, in part or whole, or for another domain are mistakes, and replace none; the service never runs
// without keys then.
func TestWrongKeysOfTheCard(t *testing.T) {
	for words, prepare := range map[string]func(c *testCard){
		"there is no folder epuck1": func(*testCard) {},
		"epuck1/cert.pem is missing": func(c *testCard) {
			c.putKeys(t, "epuck1", "7", "new")
			c.put(t, c.Boot, "epuck1/cert.pem", "")
		},
		"epuck1/key.pem is missing": func(c *testCard) {
			c.putKeys(t, "epuck1", "7", "new")
			c.put(t, c.Boot, "epuck1/key.pem", strings.Repeat("x", maxFile+1))
		},
		"for the domain 8, and ros_domain is 7": func(c *testCard) { c.putKeys(t, "epuck1", "8", "new") },
	} {
		c := newCard(t, "keys = epuck1\nros_domain = 7\n")
		prepare(c)
		r, log := c.apply(t)
		if First(r.Mistakes) != causeValue || !strings.Contains(log, words) || !strings.Contains(c.tree(t), "ROS_SECURITY_STRATEGY=Enforce\n") {
			t.Errorf("%s: %s\n%s", words, log, c.tree(t))
		}
		if all := c.keys(t); len(all) > 0 != strings.Contains(words, "domain") {
			t.Errorf("%s: %v", words, all)
		}
	}
	c := newCard(t, "keys = epuck1\n")
	c.putKeys(t, "epuck1", "12", "")
	if r, _ := c.apply(t); len(r.Mistakes) > 0 || !strings.Contains(c.tree(t), "keys.\nROS_DOMAIN_ID=12\nROS_SECURITY_ENABLE=true\n") {
		t.Errorf("%+v\n%s", r, c.tree(t))
	}
}

// A power cut while the keys change, and what it leaves, is made up for at the next start.
func TestPowerCutWhileKeysChange(t *testing.T) {
	c := newCard(t, "keys = epuck1\n")
	c.putKeys(t, "epuck1", "7", "first")
	c.apply(t)
	c.putKeys(t, "epuck1", "7", "second")
	run := c.Run
	c.Run = func(context.Context, string, string, ...string) error { return errCut }
	if _, err := c.Apply(t.Context()); !errors.Is(err, errCut) {
		t.Error(err)
	}
	c.Run = run
	must(t, os.Rename(filepath.Join(c.Root, keysFolder), filepath.Join(c.Root, keysOld)))
	if r, _ := c.apply(t); !r.Applied || len(c.keys(t)) != 6 || c.keys(t)[keysFolder+"/enclaves/epuck1/key.pem"] != "second key.pem" {
		t.Errorf("%+v, %v", r, c.keys(t))
	}
}

// Each robot of a class has the folder of its own name, where the template has keys.
func TestNumberedKeys(t *testing.T) {
	for text, want := range map[string]string{"keys = x\r\n": "keys = robot07\r\n", "keys =\r\n": "keys =\r\n", "Keys = off\r\n": "Keys = off\r\n"} {
		if b, err := Numbered([]byte(text), 7, 20); err != nil || !strings.HasPrefix(string(b), want) {
			t.Errorf("%q: %q, %v", text, b, err)
		}
	}
}
