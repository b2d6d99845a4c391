// SPDX-License-Identifier: Apache-2.0

package card

import (
	"crypto/pbkdf2"
	"crypto/sha1" //nolint:gosec // WPA2 derives its key so (IEEE 802.11i, H.4)
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// user is the account for logins with SSH.
const user = "pi"

// file is a file of the card's system that is written for the settings.
type file struct {
	Path string // from the root, without a leading slash
	Mode fs.FileMode
	Text string
}

// system is the state of the card's system on which the files depend.
type system struct {
	networkManager bool   // false: wpa_supplicant and systemd-networkd
	driver         string // current content of /etc/default/epuck-driver
	network        string // current content of the Wi-Fi configuration
}

// The Wi-Fi configuration of wpa_supplicant and of NetworkManager.
const (
	supplicantFile = "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
	managerFile    = "etc/NetworkManager/system-connections/epuck.nmconnection"
)

// networkFile returns the path of the Wi-Fi configuration.
func (s system) networkFile() string {
	if s.networkManager {
		return managerFile
	}
	return supplicantFile
}

// keyFor returns the key that the current Wi-Fi configuration has for a network, given by its ssid line: users may
// clear the password in epuck.txt once the robot has it.
func (s system) keyFor(network string) string {
	if _, rest, ok := strings.Cut(s.network, network+"\n"); ok {
		if _, rest, ok = strings.Cut(rest, "psk="); ok && len(rest) >= 64 {
			return rest[:64]
		}
	}
	return ""
}

// files returns the files for the settings. Files of keys without a value are not included: they are not changed.
func (s *Settings) files(sys system) ([]file, error) {
	var list []file
	if s.Name != "" {
		list = append(list, file{"etc/hostname", 0o644, s.Name + "\n"},
			file{"etc/hosts", 0o644, "127.0.0.1 localhost\n127.0.1.1 " + s.Name + "\n::1 localhost ip6-localhost ip6-loopback\n"})
	}
	if s.WiFi != "" {
		f, err := s.network(sys)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	if s.Country != "" && sys.networkManager { // NetworkManager has no setting for it, the kernel has
		list = append(list, file{"etc/modprobe.d/epuck-country.conf", 0o644, "options cfg80211 ieee80211_regdom=" + s.Country + "\n"})
	}
	if len(s.SSHKeys) > 0 {
		list = append(list, file{"etc/ssh/authorized_keys/" + user, 0o644, strings.Join(s.SSHKeys, "\n") + "\n"})
	}
	if text := s.driver(s.security(sys.driver)); text != sys.driver {
		list = append(list, file{"etc/default/epuck-driver", 0o644, text})
	}
	return list, nil
}

// network returns the Wi-Fi configuration; name and key are hexadecimal, so that nothing has to be quoted.
func (s *Settings) network(sys system) (file, error) {
	secret := s.WiFiPassword
	if secret != "" && len(secret) != 64 {
		b, err := pbkdf2.Key(sha1.New, secret, []byte(s.WiFi), 4096, 32)
		if err != nil {
			return file{}, fmt.Errorf("card: Wi-Fi key: %w", err)
		}
		secret = hex.EncodeToString(b)
	}
	if sys.networkManager {
		return s.managed(sys, secret), nil
	}
	name := fmt.Sprintf("\tssid=%x", s.WiFi)
	if secret == "" {
		secret = sys.keyFor(name)
	}
	var b strings.Builder
	b.WriteString("ctrl_interface=/run/wpa_supplicant\n")
	if s.Country != "" {
		fmt.Fprintf(&b, "country=%s\n", s.Country)
	}
	fmt.Fprintf(&b, "network={\n%s\n\tscan_ssid=1\n", name)
	if secret == "" {
		b.WriteString("\tkey_mgmt=NONE\n")
	} else {
		fmt.Fprintf(&b, "\tkey_mgmt=WPA-PSK\n\tpsk=%s\n", secret)
	}
	b.WriteString("}\n")
	return file{supplicantFile, 0o600, b.String()}, nil
}

// managed returns the Wi-Fi configuration of NetworkManager.
func (s *Settings) managed(sys system, secret string) file {
	name := "ssid="
	for _, c := range []byte(s.WiFi) {
		name += fmt.Sprintf("%d;", c)
	}
	if secret == "" {
		secret = sys.keyFor(name)
	}
	text := "[connection]\nid=epuck\ntype=wifi\ninterface-name=wlan0\n\n[wifi]\nmode=infrastructure\n" + name + "\n\n"
	if secret != "" {
		text += fmt.Sprintf("[wifi-security]\nkey-mgmt=wpa-psk\npsk=%s\n\n", secret)
	}
	return file{managerFile, 0o600, text + "[ipv4]\nmethod=auto\n"}
}

// The lines of the driver's environment that come from epuck.txt are between these.
const (
	blockBegin = "# From epuck.txt on the boot partition; change it there.\n"
	blockEnd   = "# End of what is from epuck.txt.\n"
)

// driver returns the driver's environment file with domain and namespace at its end, where they override earlier
// lines.
func (s *Settings) driver(old string) string {
	rest := withoutBlock(old, blockBegin, blockEnd)
	var block string
	if s.Domain != nil {
		block += fmt.Sprintf("ROS_DOMAIN_ID=%d\n", *s.Domain)
	}
	if s.Namespace != "" {
		block += fmt.Sprintf("EPUCK_ARGS=\"-r __ns:=%s\"\n", s.Namespace)
	}
	if block == "" {
		return rest
	}
	if rest != "" && !strings.HasSuffix(rest, "\n") {
		rest += "\n"
	}
	return rest + blockBegin + block + blockEnd
}
