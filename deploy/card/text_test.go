// SPDX-License-Identifier: Apache-2.0

package card

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
)

// inUTF16 encodes text as Notepad's "Unicode" and its big-endian sibling do.
func inUTF16(text string, order binary.AppendByteOrder) []byte {
	b := order.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// What editors do to a file does not change what it says.
func TestEditors(t *testing.T) {
	const plain = "# mine\nname = robot7\nwifi=Café №5\nwifi_password=\"two words = 1\"\ncountry=ch\n"
	want := Settings{Name: "robot7", WiFi: "Café №5", WiFiPassword: "two words = 1", Country: "CH"}
	for name, data := range map[string][]byte{
		"as it is":            []byte(plain),
		"Windows":             []byte(strings.ReplaceAll(plain, "\n", "\r\n")),
		"an old Mac":          []byte(strings.ReplaceAll(plain, "\n", "\r")),
		"no end of line":      []byte(strings.TrimSpace(plain)),
		"byte order mark":     []byte("\ufeff" + plain),
		"UTF-16":              inUTF16(strings.ReplaceAll(plain, "\n", "\r\n"), binary.LittleEndian),
		"UTF-16, big-endian":  inUTF16(plain, binary.BigEndian),
		"curly quotes":        []byte(strings.ReplaceAll(plain, `"two words = 1"`, "“two words = 1”")),
		"German quotes":       []byte(strings.ReplaceAll(plain, `"two words = 1"`, "„two words = 1“")),
		"French quotes":       []byte(strings.ReplaceAll(plain, `"two words = 1"`, "«two words = 1»")),
		"single quotes":       []byte(strings.ReplaceAll(plain, `"`, "'")),
		"no-break spaces":     []byte(strings.ReplaceAll(plain, " = ", "\u00a0=\u00a0")),
		"indented":            []byte("  " + strings.ReplaceAll(plain, "\n", "  \n\t")),
		"Unicode's lines":     []byte(strings.ReplaceAll(plain, "\n", "\u2028")),
		"keys as people say":  []byte("Name = robot7\nWi-Fi = Café №5\nWiFi Password = two words = 1\nCOUNTRY = CH"),
		"words on both sides": []byte("\n\n\n" + plain + "\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got, mistakes := Parse(data)
			want := want
			if strings.Contains(name, "no-break") {
				want.WiFiPassword = "two words\u00a0=\u00a01"
			}
			if len(mistakes) == 1 && strings.Contains(name, "no-break") {
				return // such a space in a password is none that a router takes
			}
			if len(mistakes) > 0 || got.Name != want.Name || got.WiFi != want.WiFi || got.WiFiPassword != want.WiFiPassword || got.Country != want.Country {
				t.Errorf("%+v, %v; want %+v", got, mistakes, want)
			}
		})
	}
}

func TestUnquote(t *testing.T) {
	for in, want := range map[string]string{
		`"a"`: "a", `'a'`: "a", "“a”": "a", "‘a’": "a", "‚a‘": "a", `"a`: `"a`, `a"`: `a"`, `"`: `"`, "": "", `""`: "",
		`"a'`: `"a'`, `""a""`: `"a"`, "«»": "", `don't`: `don't`,
	} {
		if got := unquote(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// A missing quotation mark is reported, in the cause of its key; one that belongs there can be written.
func TestForgottenQuote(t *testing.T) {
	for text, want := range map[string]string{
		`wifi = "Labor`: "", `wifi = Labor"`: "", "wifi = „Labor": "", "wifi = «Labor": "", `wifi = "`: "",
		`wifi = "Labor"`: "Labor", "wifi = “Labor”": "Labor", `wifi = "TV 55""`: `TV 55"`, "wifi = Students'": "Students'", `wifi = 5"7`: `5"7`,
		`wifi = ""Labor""`: `"Labor"`, "wifi = 't Huis": "'t Huis",
	} {
		s, mistakes := Parse([]byte(text))
		if s.WiFi != want || (len(mistakes) == 0) != (want != "") || len(mistakes) > 0 && (mistakes[0].Cause != causeWiFi || !strings.Contains(mistakes[0].Text, "quotation mark")) {
			t.Errorf("%s: %q, %v; want %q", text, s.WiFi, mistakes, want)
		}
	}
	if s, mistakes := Parse([]byte("password = \"geheimnis\nname = r2\n")); s.Password != "" || s.Name != "r2" || len(mistakes) != 1 || mistakes[0].Cause != causeLogin {
		t.Errorf("%+v, %v", s, mistakes)
	}
}

func TestNoText(t *testing.T) {
	for name, data := range map[string][]byte{
		"rich text":                []byte(`{\rtf1\ansi name = robot1}`),
		"half a character":         {0xFF, 0xFE, 'n', 0, 'a'},
		"zeros":                    []byte("n\x00a\x00m\x00e\x00"),
		"a film":                   make([]byte, maxFile+1),
		"UTF-16 with zeros inside": inUTF16("name = a\x00b", binary.LittleEndian),
	} {
		if _, err := lines(data); !errors.Is(err, errText) {
			t.Errorf("%s: %v", name, err)
		}
		s, mistakes := Parse(data)
		if len(mistakes) != 1 || mistakes[0].Line != 0 || mistakes[0].Cause != causeFile || s.Name != "" {
			t.Errorf("%s: %+v, %v", name, s, mistakes)
		}
	}
}
