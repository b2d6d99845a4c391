// SPDX-License-Identifier: Apache-2.0

package card

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// publicKeyOf makes a public key that has the shape of one.
func publicKeyOf(kind string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(kind)))
	b = append(append(b, kind...), make([]byte, 40)...)
	return kind + " " + base64.StdEncoding.EncodeToString(b)
}

func shipped(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("../../deploy/card/epuck.txt")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The file that is shipped has no mistakes, has every key once, and explains each before its line.
func TestShippedFile(t *testing.T) {
	data := shipped(t)
	s, mistakes := Parse(data)
	if len(mistakes) > 0 || s.Name != "epuck" || s.WiFi != "" || s.Domain == nil || *s.Domain != 0 {
		t.Errorf("%+v, %v", s, mistakes)
	}
	text := string(data)
	for _, k := range keys() {
		if n := strings.Count(text, "\n"+k.name+" ="); n != 1 {
			t.Errorf("%s is there %d times", k.name, n)
		}
	}
	for block := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(block, "#") {
			t.Errorf("no explanation before:\n%s", block)
		}
	}
	for _, row := range causes() {
		if !strings.Contains(text, row.ColourName) {
			t.Errorf("it does not say what %s means", row.ColourName)
		}
	}
}

// Each mistake is reported with its line, its key and its cause.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
		is   Cause
	}{
		{"robot seven", `epuck.txt, line 1: "robot seven" is not of the form key = value`, causeKey},
		{"\nnime = x", "epuck.txt, line 2, nime: unknown key; the keys are name, wifi,", causeKey},
		{"= x", "epuck.txt, line 1: unknown key", causeKey},
		{"name = a\nname = b", "line 2, name: already set in line 1", causeValue},
		{"name = Röbot", "line 1, name: \"röbot\" is not 1 to 63 letters", causeValue},
		{"name = -a", "name: \"-a\"", causeValue},
		{"name = " + strings.Repeat("a", 64), "is not 1 to 63", causeValue},
		{"wifi = " + strings.Repeat("é", 17), "at most 32 bytes, this has 34", causeWiFi},
		{"wifi = a\nwifi_password = short", "line 2, wifi_password: a Wi-Fi password has 8 to 63 characters, this has 5", causeWiFi},
		{"wifi = a\nwifi_password = größer als", "English keyboard", causeWiFi},
		{"wifi = a\nwifi_password = " + strings.Repeat("x", 64), "this has 64", causeWiFi},
		{"wifi_password = long enough", "line 1, wifi_password: a password without a network", causeWiFi},
		{"country = Switzerland", "\"SWITZERLAND\" is not a country's two letters", causeWiFi},
		{"country = C1", "not a country's", causeWiFi},
		{"password = 1234567", "8 characters or more (and at most 200 bytes), this has 7", causeLogin},
		{"ssh_key = id_ed25519.pub", "not a public key", causeLogin},
		{"ssh_key = ssh-ed25519 AAAA", "not a public key", causeLogin},
		{"ssh_key = ssh-ed25519 ****", "not a public key", causeLogin},
		{"ssh_key = ssh-dss " + strings.Fields(publicKeyOf("ssh-dss"))[1], "not a public key", causeLogin},
		{"ssh_key = ssh-rsa " + strings.Fields(publicKeyOf("ssh-ed25519"))[1], "not a public key", causeLogin},
		{"ssh_key = -----BEGIN OPENSSH PRIVATE KEY-----", "private key, which stays on your computer", causeLogin},
		{"ros_domain = 233", "\"233\" is not a number from 0 to 232", causeValue},
		{"ros_domain = -1", "not a number", causeValue},
		{"ros_domain = one", "not a number", causeValue},
		{"namespace = 1robot", "\"/1robot\" is not made of", causeValue},
		{"namespace = a b", "not made of", causeValue},
		{"namespace = a//b", "not made of", causeValue},
		{"namespace = /", "not made of", causeValue},
		{"wifi = a\x1bb", "can't be printed", causeWiFi},
		{"wifi = Caf\xe9", "line 1: not saved as UTF-8", causeFile},
	} {
		_, mistakes := Parse([]byte(c.text))
		if len(mistakes) != 1 || !strings.Contains(mistakes[0].String(), c.want) || mistakes[0].Cause != c.is {
			t.Errorf("%q: %v, want %q (%v)", c.text, mistakes, c.want, c.is)
		}
	}
}

// What is right stays, and half a Wi-Fi is none.
func TestMistakesLeaveTheRest(t *testing.T) {
	s, mistakes := Parse([]byte("name = r1\nwifi = class\nwifi_password = short\nnamespace = r1\npassword = " + "long enough"))
	if len(mistakes) != 1 || s.Name != "r1" || s.Namespace != "/r1" || s.Password == "" || s.WiFi != "" || s.Country != "" {
		t.Errorf("%+v, %v", s, mistakes)
	}
	if First(mistakes) != causeWiFi || First(nil) != CauseNone {
		t.Errorf("%v", First(mistakes))
	}
	if m := append(mistakes, Mistake{Cause: causeKey}); First(m) != causeKey {
		t.Errorf("%v", First(m))
	}
}

func TestValues(t *testing.T) {
	a, b := publicKeyOf("ssh-ed25519"), publicKeyOf("sk-ssh-ed25519@openssh.com")
	psk := strings.Repeat("AB", 32)
	s, mistakes := Parse([]byte("name = Robot-1.local\nwifi = open\nnamespace = class/robot_1/\nros_domain = 232\nssh_key = " + a + "   me@here\n" +
		"ssh_key =\nssh_key = \"" + b + "\"\nwifi_password=" + psk))
	if len(mistakes) > 0 || s.Name != "robot-1" || s.Namespace != "/class/robot_1" || *s.Domain != 232 || s.WiFiPassword != strings.ToLower(psk) ||
		!slices.Equal(s.SSHKeys, []string{a + " me@here", b}) {
		t.Errorf("%+v, %v", s, mistakes)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s.Namespace = "1"
	if err := s.Check(); !errors.Is(err, errValue) || !strings.Contains(err.Error(), keyNamespace) {
		t.Errorf("%v", err)
	}
	many := strings.Repeat("ssh_key = "+a+"\n", 17)
	if s, mistakes := Parse([]byte(many)); len(s.SSHKeys) != 16 || len(mistakes) != 1 || mistakes[0].Line != 17 {
		t.Errorf("%d keys, %v", len(s.SSHKeys), mistakes)
	}
}

// A cause has one colour, and each colour one cause.
func TestCauses(t *testing.T) {
	seen := map[uint32]bool{0: true}
	for i, row := range causes() {
		if seen[row.RRGGBB] || row.Cause != Cause(i+1) || row.Cause.Colour() != row.RRGGBB || row.Cause.String() != row.Name {
			t.Errorf("row %d: %+v", i, row)
		}
		seen[row.RRGGBB] = true
	}
	if CauseNone.Colour() != 0 || CauseNone.String() != "none" {
		t.Errorf("%v %x", CauseNone, CauseNone.Colour())
	}
}

// A file of a class differs from its template in two lines, whether they are there or not.
func TestNumbered(t *testing.T) {
	template := shipped(t)
	names := map[string]bool{}
	for i := 1; i <= 20; i++ {
		b, err := Numbered(template, i, 20)
		if err != nil {
			t.Fatal(err)
		}
		s, mistakes := Parse(b)
		if want := fmt.Sprintf("robot%02d", i); len(mistakes) > 0 || s.Name != want || s.Namespace != "/"+want {
			t.Errorf("%+v, %v", s, mistakes)
		}
		names[s.Name] = true
		if bytes.Count(b, []byte("\r\n")) != bytes.Count(template, []byte("\n")) || !bytes.Contains(b, []byte("# ROS_DOMAIN_ID")) {
			t.Errorf("%d lines of %d", bytes.Count(b, []byte("\r\n")), bytes.Count(template, []byte("\n")))
		}
	}
	if len(names) != 20 {
		t.Errorf("%v", names)
	}
	b, err := Numbered([]byte("wifi = class\nwifi_password = 12345678"), 3, 5)
	if s, mistakes := Parse(b); err != nil || len(mistakes) > 0 || s.Name != "robot3" || s.Namespace != "/robot3" || s.WiFi != "class" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := Numbered(make([]byte, maxFile+1), 1, 1); !errors.Is(err, errText) {
		t.Errorf("%v", err)
	}
}

// Whatever is right in any value comes out of a file as it went in.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Settings{
			Name:      rapid.StringMatching(`[a-z]([a-z0-9-]{0,20}[a-z0-9])?`).Draw(t, "name"),
			WiFi:      rapid.StringMatching(`[A-Za-z#=é]([ -~é]{0,12}[a-z])?`).Draw(t, "wifi"),
			Namespace: rapid.StringMatching(`(/[A-Za-z_][a-z0-9_]{0,6}){1,3}`).Draw(t, "namespace"),
			Password:  rapid.StringMatching(`[a-z]{8}[a-zé#= ]{0,9}[0-9]`).Draw(t, "password"),
		}
		text := fmt.Sprintf("name=%s\nwifi=\"%s\"\nnamespace=%s\npassword=“%s”\n", want.Name, want.WiFi, want.Namespace, want.Password)
		got, mistakes := Parse([]byte(text))
		if len(mistakes) > 0 || got.Name != want.Name || got.WiFi != want.WiFi || got.Namespace != want.Namespace || got.Password != want.Password {
			t.Fatalf("%q: %+v, %v", text, got, mistakes)
		}
	})
}

// FuzzParse: any file gives settings that hold, and mistakes in lines that there are.
func FuzzParse(f *testing.F) {
	f.Add(shipped(f))
	f.Add([]byte("\ufeffname = r\r\nwifi=“x”\r\nwifi_password=\"12345678\""))
	f.Add(inUTF16("ros_domain=7\n", binary.LittleEndian))
	f.Add([]byte("{\\rtf1}"))
	f.Add([]byte("ssh_key = " + publicKeyOf("ssh-rsa")))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, mistakes := Parse(data)
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		for _, m := range mistakes {
			if m.Line < 0 || m.Line > len(data)+1 || m.Cause == CauseNone || m.Text == "" || strings.ContainsAny(m.String(), "\n\r") {
				t.Errorf("%+v", m)
			}
		}
		if files, err := s.files(system{driver: string(data)}); err != nil || len(files) > 8 {
			t.Errorf("%d files, %v", len(files), err)
		}
		if b, err := Numbered(data, 1, 1); err == nil {
			if s, _ := Parse(b); s.Name != "robot1" && len(b) <= maxFile {
				t.Errorf("%q has the name %q", b, s.Name)
			}
		}
	})
}
