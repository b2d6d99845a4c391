// SPDX-License-Identifier: Apache-2.0

package card

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// Settings are the settings of an epuck.txt. Missing ones are empty.
type Settings struct {
	Name         string   // of the robot in the network: a DNS label
	WiFi         string   // name of the network, at most 32 bytes
	WiFiPassword string   // 8 to 63 characters, or 64 hexadecimal digits; empty for an open network
	Country      string   // regulatory domain of the radio: ISO 3166, two capital letters
	Password     string   // of the user pi
	SSHKeys      []string // public keys that may log in as pi
	Domain       *int     // ROS_DOMAIN_ID, 0 to 232
	Namespace    string   // of the robot's node, with a leading slash
	Keys         string   // folder of the keys of DDS Security, and name of their enclave; "off" for none

	keysDomain string // the domain of the keys if Domain is nil
}

// Parse parses an epuck.txt. The valid settings of a file with mistakes are returned, but those of Wi-Fi only if all
// of them are valid: an incomplete set can't connect to a network.
func Parse(data []byte) (Settings, []Mistake) {
	var s Settings
	text, err := lines(data)
	if err != nil {
		if kind, foreign := foreignKind(data, make([]Mistake, 1), 0); foreign {
			err = fmt.Errorf("%w: the file is %s", errText, kind)
		}
		return s, []Mistake{{Cause: causeFile, Text: err.Error()}}
	}
	var mistakes []Mistake
	seen := map[string]int{}
	for i, line := range text {
		if m := s.read(line, i+1, seen); m != nil {
			mistakes = append(mistakes, *m)
		}
	}
	if s.WiFi == "" && s.WiFiPassword != "" && seen[keyWiFi] == 0 {
		mistakes = append(mistakes, Mistake{seen[keyWiFiPassword], keyWiFiPassword, causeWiFi, "a password without a network: " + keyWiFi + " is missing"})
	}
	if kind, foreign := foreignKind(data, mistakes, len(seen)); foreign {
		return s, []Mistake{{Cause: causeFile, Text: fmt.Sprintf("this is no epuck.txt: the file is %s", kind)}}
	}
	for _, m := range mistakes {
		if m.Cause == causeWiFi {
			s.WiFi, s.WiFiPassword, s.Country = "", "", ""
		}
	}
	return s, mistakes
}

// foreignKind returns the kind of a file that has mistakes and no setting, if it is not a text file. UTF-16 of
// Windows counts as text.
func foreignKind(data []byte, mistakes []Mistake, settings int) (kind filekind.Kind, foreign bool) {
	kind = filekind.Recognize(data, int64(len(data)))
	return kind, len(mistakes) > 0 && settings == 0 && kind != "" && kind != filekind.TextUTF16
}

// read parses one line. seen has the line of each key.
func (s *Settings) read(line string, number int, seen map[string]int) *Mistake {
	if !utf8.ValidString(line) {
		return &Mistake{number, "", causeFile, "not saved as UTF-8: save the file again with the encoding UTF-8"}
	}
	name, value, blank, ok := split(line)
	if blank {
		return nil
	}
	if !ok {
		return &Mistake{number, "", causeKey, fmt.Sprintf("%q is not of the form key = value; explanations begin with #", shorten(line))}
	}
	k, known := keyOf(name)
	if !known {
		return &Mistake{number, shorten(name), causeKey, "unknown key; the keys are " + keyNames()}
	}
	if before := seen[k.name]; before != 0 && !k.repeat && value != "" {
		return &Mistake{number, k.name, k.cause, fmt.Sprintf("already set in line %d", before)}
	}
	if value == "" {
		return nil // as if the line was missing
	}
	seen[k.name] = number
	err := printable(value)
	if _, written, _ := strings.Cut(line, "="); err == nil && unpairedQuote(strings.TrimFunc(written, isSpace)) {
		err = fmt.Errorf("%w: there is one quotation mark; leave it out, or, if it belongs there, put two around all", errValue)
	}
	if err == nil {
		err = k.set(s, value)
	}
	if err != nil {
		return &Mistake{number, k.name, k.cause, strings.TrimPrefix(err.Error(), errValue.Error()+": ")}
	}
	return nil
}

// Check returns an error for the first value that [Parse] would reject, with the key and the reason.
func (s *Settings) Check() error {
	var again Settings
	for _, k := range keys() {
		for _, value := range s.values(k.name) {
			if err := errors.Join(printable(value), k.set(&again, value)); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
		}
	}
	return nil
}

// values returns the values of a key.
func (s *Settings) values(name string) []string {
	one := map[string]string{keyName: s.Name, keyWiFi: s.WiFi, keyWiFiPassword: s.WiFiPassword, keyCountry: s.Country,
		keyPassword: s.Password, keyNamespace: s.Namespace, keyKeys: s.Keys}[name]
	switch {
	case name == keySSHKey:
		return s.SSHKeys
	case name == keyDomain && s.Domain != nil:
		return []string{fmt.Sprint(*s.Domain)}
	case one == "":
		return nil
	}
	return []string{one}
}

// keyNames returns the names of all keys.
func keyNames() string {
	var names []string
	for _, k := range keys() {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// shorten truncates a text for the log.
func shorten(s string) string {
	const most = 40
	if runes := []rune(strings.TrimSpace(s)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return strings.TrimSpace(s)
}
