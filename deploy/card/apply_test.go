// SPDX-License-Identifier: Apache-2.0

package card

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// testCard is a card in a folder. It counts what was done to it.
type testCard struct {
	Machine
	ran     []string
	written int // how often the boot partition was made writable
}

func newCard(t *testing.T, settings string) *testCard {
	t.Helper()
	c := &testCard{Machine: Machine{Root: t.TempDir(), Boot: t.TempDir()}}
	c.Run = func(_ context.Context, input, program string, args ...string) error {
		c.ran = append(c.ran, strings.TrimSpace(fmt.Sprint(program, args, input)))
		return nil
	}
	c.Writable = func(f func() error) error { c.written++; return f() }
	c.put(t, c.Boot, "epuck.txt", settings)
	return c
}

func (c *testCard) put(t *testing.T, root, path, text string) {
	t.Helper()
	file := filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// apply applies and returns the log.
func (c *testCard) apply(t *testing.T) (Report, string) {
	t.Helper()
	r, err := c.Apply(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(c.Boot, "epuck-log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return r, string(log)
}

// tree gives all files of the card's system with their permissions and what is in them.
func (c *testCard) tree(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(c.Root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "== %s %04o\n%s", strings.TrimPrefix(path, c.Root+"/"), info.Mode().Perm(), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares with a file of testdata; -update writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%s (-update writes it): %v\n%s", file, err, got)
	}
}

const whole = `name = robot07
wifi = Class "A" é
wifi_password = correct horse
country = ch
password = battery staple
ros_domain = 42
namespace = class/robot07
`

// The files for settings, on our image and on Raspberry Pi OS, which has NetworkManager.
func TestFiles(t *testing.T) {
	for name, prepare := range map[string]func(*testCard){
		"debian.golden": func(c *testCard) {
			c.put(t, c.Root, "etc/default/epuck-driver", "# mine\nROS_DOMAIN_ID=1")
		},
		"raspios.golden": func(c *testCard) {
			if err := os.MkdirAll(filepath.Join(c.Root, "etc/NetworkManager/system-connections"), 0o700); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCard(t, whole+"ssh_key = "+publicKeyOf("ssh-ed25519")+" me@here\n")
			prepare(c)
			r, log := c.apply(t)
			if len(r.Mistakes) > 0 || !r.Applied {
				t.Errorf("%+v", r)
			}
			if want := []string{"hostname[robot07]", "chpasswd[]pi:battery staple"}; !slices.Equal(c.ran, want) {
				t.Errorf("%q", c.ran)
			}
			for _, secret := range []string{"correct horse", "battery staple"} {
				if strings.Contains(log, secret) || strings.Contains(c.tree(t), secret) {
					t.Errorf("the secret %q can be read", secret)
				}
			}
			golden(t, name, c.tree(t)+"== epuck-log.txt\n"+log)
		})
	}
}

// The Wi-Fi's key is the one of the standard (IEEE 802.11i, H.4.3).
func TestWiFiKey(t *testing.T) {
	s := Settings{WiFi: "IEEE", WiFiPassword: "password"}
	f, err := s.network(system{})
	if want := "psk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"; err != nil || !strings.Contains(f.Text, want) {
		t.Errorf("%v, %s", err, f.Text)
	}
	s.WiFiPassword = strings.Repeat("ab", 32)
	if f, err := s.network(system{}); err != nil || !strings.Contains(f.Text, "psk="+s.WiFiPassword) {
		t.Errorf("%v, %s", err, f.Text)
	}
	s.WiFiPassword = ""
	if f, err := s.network(system{}); err != nil || !strings.Contains(f.Text, "key_mgmt=NONE") {
		t.Errorf("%v, %s", err, f.Text)
	}
	if f, err := s.network(system{networkManager: true}); err != nil || strings.Contains(f.Text, "security") {
		t.Errorf("%v, %s", err, f.Text)
	}
}

// Who empties the line of the Wi-Fi's password keeps the network, as the file and docs/howto/card.md promise; another
// network is open then.
func TestEmptiedPassword(t *testing.T) {
	for _, manager := range []bool{false, true} {
		c := newCard(t, "wifi = Café\nwifi_password = correct horse\ncountry = CH\n")
		file := system{networkManager: manager}.networkFile()
		if manager {
			if err := os.MkdirAll(filepath.Join(c.Root, filepath.Dir(managerFile)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		c.apply(t)
		before, err := readFile(c.Root, file)
		if err != nil || strings.Count(before, "psk=") != 1 {
			t.Fatalf("%v, %s", err, before)
		}
		c.put(t, c.Boot, "epuck.txt", "wifi = Café\nwifi_password =\ncountry = CH\n")
		if r, _ := c.apply(t); !r.Applied || len(r.Mistakes) > 0 {
			t.Errorf("%+v", r)
		}
		if after, err := readFile(c.Root, file); err != nil || after != before {
			t.Errorf("%v: %s, then %s", err, before, after)
		}
		c.put(t, c.Boot, "epuck.txt", "wifi = Caf\nwifi_password =\n")
		c.apply(t)
		if after, err := readFile(c.Root, file); err != nil || strings.Contains(after, "psk=") {
			t.Errorf("%v: an open network has a key: %s", err, after)
		}
	}
}

// A file of the Wi-Fi that was cut off or that is another's gives no key, and none that is too short.
func TestKeyFor(t *testing.T) {
	key := strings.Repeat("0f", 32)
	for text, want := range map[string]string{
		"": "", "\tssid=41": "", "\tssid=41\n\tpsk=": "", "\tssid=41\n\tpsk=" + key[:63]: "", "\tssid=41\n\tpsk=" + key: key,
		"\tssid=4142\n\tpsk=" + key: "", "\tssid=41\n\tscan_ssid=1\n\tpsk=" + key + "\n}\n": key, "\tpsk=" + key + "\n\tssid=41\n": "",
	} {
		if got := (system{network: text}).keyFor("\tssid=41"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A file is applied once, and again when it has changed; what it does not name stays.
func TestApplyAgain(t *testing.T) {
	c := newCard(t, whole)
	if r, log := c.apply(t); !r.Applied || !strings.Contains(log, "has no mistakes.\r\n") || strings.Contains(log, "LEDs") {
		t.Errorf("%+v, %s", r, log)
	}
	before := c.tree(t)
	c.ran, c.written = nil, 0
	if r, _ := c.apply(t); r.Applied || len(c.ran) > 0 || c.written > 0 || c.tree(t) != before {
		t.Errorf("%+v, %q, written %d times", r, c.ran, c.written)
	}
	c.put(t, c.Boot, "epuck.txt", "ros_domain = 7\n")
	r, log := c.apply(t)
	after := c.tree(t)
	if !r.Applied || len(c.ran) > 0 || !strings.Contains(after, "robot07") || !strings.Contains(after, "ROS_DOMAIN_ID=7\n") ||
		strings.Contains(after, "ROS_DOMAIN_ID=42") || strings.Contains(after, "EPUCK_ARGS") || !strings.Contains(log, "ros_domain = 7") {
		t.Errorf("%+v, %q\n%s", r, c.ran, after)
	}
	c.put(t, c.Boot, "epuck.txt", "# nothing\n")
	if _, log := c.apply(t); strings.Contains(c.tree(t), "From epuck.txt") || !strings.Contains(log, "nothing") {
		t.Error(c.tree(t), log)
	}
}

// Mistakes are in the log at every start, with the colour of the first cause.
func TestLog(t *testing.T) {
	c := newCard(t, "nime = a\nros_domain = 300\nname = r2\n")
	first, log := c.apply(t)
	second, again := c.apply(t)
	golden(t, "mistakes.golden", log)
	if len(first.Mistakes) != 2 || !first.Applied || second.Applied || len(second.Mistakes) != 2 || again != log {
		t.Errorf("%+v, %+v\n%s", first, second, again)
	}
}

func TestNoFile(t *testing.T) {
	c := newCard(t, "")
	if err := os.Remove(filepath.Join(c.Boot, "epuck.txt")); err != nil {
		t.Fatal(err)
	}
	c.Damaged = "the journal is gone"
	r, log := c.apply(t)
	if len(r.Mistakes) != 2 || First(r.Mistakes) != causeData || !strings.Contains(log, "no such file") || !strings.Contains(log, "the journal is gone") ||
		!strings.Contains(log, "white (data partition)") {
		t.Errorf("%+v\n%s", r, log)
	}
}

// A file that an editor has given another name than the user saw is reported; epuck.txt is applied nevertheless.
func TestStrayedFile(t *testing.T) {
	for _, name := range []string{"epuck.txt.txt", "epuck.rtf", "epuck"} {
		c := newCard(t, "name = r3\n")
		c.put(t, c.Boot, name, "name = r4\n")
		r, log := c.apply(t)
		if len(r.Mistakes) != 1 || First(r.Mistakes) != causeFile || !r.Applied || !strings.Contains(log, name+" is not read") ||
			!strings.Contains(log, "magenta") || !strings.Contains(c.tree(t), "r3\n") {
			t.Errorf("%s: %+v\n%s", name, r, log)
		}
	}
	c := newCard(t, "name = r3\n")
	for _, name := range []string{"._epuck.txt", "epuck-log.txt", "Copy of epuck.txt"} { // of a Mac, and ours
		c.put(t, c.Boot, name, "x")
	}
	if r, log := c.apply(t); len(r.Mistakes) > 0 {
		t.Error(log)
	}
}

// errCut ends a test's Apply as a power cut ends a real one.
var errCut = errors.New("the power is cut")

// A power cut at any program that is run, and at any file that can't be written, leaves a card on which the next start
// makes everything that was asked for.
func TestPowerCut(t *testing.T) {
	want := newCard(t, whole)
	want.apply(t)
	for _, program := range []string{"hostname", "chpasswd"} {
		c := newCard(t, whole)
		run := c.Run
		c.Run = func(ctx context.Context, input, name string, args ...string) error {
			if name == program {
				return errCut
			}
			return run(ctx, input, name, args...)
		}
		r, err := c.Apply(t.Context())
		if !errors.Is(err, errCut) || First(r.Mistakes) != causeWrite {
			t.Errorf("%s: %+v, %v", program, r, err)
		}
		c.Run, c.ran = run, nil
		if r, _ := c.apply(t); !r.Applied || c.tree(t) != want.tree(t) || !slices.Equal(c.ran, want.ran) {
			t.Errorf("%s: %+v, %q", program, r, c.ran)
		}
	}
	for _, path := range []string{"etc/hostname", "etc/hosts", "etc/wpa_supplicant/wpa_supplicant-wlan0.conf", "etc/default/epuck-driver", stateFile} {
		c := newCard(t, whole)
		blocked := filepath.Join(c.Root, path)
		if err := os.MkdirAll(filepath.Join(blocked, "in the way"), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Apply(t.Context()); err == nil {
			t.Errorf("%s: it is in the way and not reported", path)
		}
		if err := os.RemoveAll(blocked); err != nil {
			t.Fatal(err)
		}
		c.put(t, c.Root, path+".epuck-new", "half a fi") // what a cut while it is written leaves
		if r, _ := c.apply(t); !r.Applied || c.tree(t) != want.tree(t) {
			t.Errorf("%s: %+v\n%s", path, r, c.tree(t))
		}
	}
}

// A block of the environment that was cut off, or that the user has written below, is replaced and no line is lost.
func TestDriverEnvironment(t *testing.T) {
	domain := 5
	s := Settings{Domain: &domain}
	const block = blockBegin + "ROS_DOMAIN_ID=5\n" + blockEnd
	for old, want := range map[string]string{
		"":                          block,
		"A=1":                       "A=1\n" + block,
		"A=1\n" + block + "B=2\n":   "A=1\nB=2\n" + block,
		"A=1\n" + blockBegin + "RO": "A=1\n" + block,
		block:                       block,
	} {
		if got := s.driver(old); got != want {
			t.Errorf("%q: %q, want %q", old, got, want)
		}
	}
	if got := (&Settings{}).driver("A=1"); got != "A=1" {
		t.Errorf("%q", got)
	}
}
