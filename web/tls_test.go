// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

// TestEncrypted: page and connection by TLS with the certificate that is made, which a client can trust by its file;
// the token goes with it. Without TLS nothing is answered.
func TestEncrypted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "web.pem")
	r := newRig(t, true, func(c *Config) { c.CertificateFile = file })
	if url := r.server.URL(guard.Drive); !strings.HasPrefix(url, "https://localhost:") || !strings.HasSuffix(url, "#"+r.token(guard.Drive)) {
		t.Error(url)
	}
	info, err := os.Stat(file)
	r.must(err)
	if info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	pem, err := os.ReadFile(file)
	r.must(err)
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(pem) {
		t.Fatal("no certificate in the file")
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}}
	defer client.CloseIdleConnections()
	_, port, _ := strings.Cut(r.base, ":")
	site := "localhost:" + port[strings.LastIndexByte(port, ':')+1:]
	response, err := client.Get("https://" + site + "/")
	r.must(err)
	r.must(response.Body.Close())
	if response.StatusCode != http.StatusOK || response.TLS == nil || response.TLS.Version < tls.VersionTLS12 {
		t.Error(response.Status, response.TLS)
	}
	conn, _, err := websocket.Dial(t.Context(), "wss://"+site+"/ws", &websocket.DialOptions{ //nolint:bodyclose // says websocket.Dial
		HTTPClient: client, Subprotocols: []string{foxglove.PageProtocol, guard.TokenProtocol + r.token(guard.Drive)},
	})
	r.must(err)
	v := &viewer{rig: r, conn: conn}
	v.hear("serverInfo", nil)
	v.say(map[string]any{"op": "takeControl", "robot": "/"})
	v.hear("control", func(m map[string]any) bool { return len(m["robots"].([]any)) == 1 })
	_ = conn.CloseNow()
	if plain, err := http.Get("http://" + site + "/"); err == nil {
		_ = plain.Body.Close()
		if plain.StatusCode == http.StatusOK {
			t.Error("it answers without TLS")
		}
	}
	stranger := &http.Client{Transport: &http.Transport{}}
	defer stranger.CloseIdleConnections()
	if answer, err := stranger.Get("https://" + site + "/"); err == nil {
		_ = answer.Body.Close()
		t.Error("a client that does not trust the certificate was served")
	}
}
