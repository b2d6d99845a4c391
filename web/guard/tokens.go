// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// errTokens is matched when the file of tokens cannot be used.
var errTokens = errors.New("guard: bad file of tokens")

// TokenProtocol begins the WebSocket sub-protocol that carries a token: the one header a page may set there.
const TokenProtocol = "token."

// minToken is the least length of a token, in characters: 16 are 96 random bits.
const minToken = 16

// Tokens are the two secrets of a server.
type Tokens struct {
	// View permits viewing, Drive also driving.
	View  string `json:"view"`
	Drive string `json:"drive"`
}

// LoadTokens reads the tokens of a file, or makes them and the file, which its owner alone may read. It fails if others
// may read the file, or it is malformed, or its tokens are equal or shorter than 16 characters (the error names the
// file), and with the file system's error.
func LoadTokens(path string) (*Tokens, error) {
	data, err := regular.Read(path, maxPEM)
	if errors.Is(err, fs.ErrNotExist) {
		return createTokens(path)
	}
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("%w: others may read %s (mode %03o): chmod 600 it, or delete it for new tokens", errTokens, path, mode)
	}
	t := &Tokens{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, filekind.ExplainData(path, data, fmt.Errorf("%w: %s: %w", errTokens, path, err), filekind.JSON)
	}
	if len(t.View) < minToken || len(t.Drive) < minToken || t.View == t.Drive {
		return nil, fmt.Errorf("%w: %s: view and drive must differ and have %d characters or more", errTokens, path, minToken)
	}
	return t, nil
}

func createTokens(path string) (*Tokens, error) {
	t := &Tokens{View: newToken(), Drive: newToken()}
	data, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(append(data, '\n'))
	return t, errors.Join(err, f.Sync(), f.Close())
}

// newToken returns 144 random bits in the alphabet of URLs.
func newToken() string {
	var b [18]byte
	_, _ = rand.Read(b[:]) // never fails, says its documentation
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// role returns what a token allows, in a time that does not depend on it.
func (t *Tokens) role(token string) Role {
	given := sha256.Sum256([]byte(token))
	view, drive := sha256.Sum256([]byte(t.View)), sha256.Sum256([]byte(t.Drive))
	isView := subtle.ConstantTimeCompare(given[:], view[:])
	isDrive := subtle.ConstantTimeCompare(given[:], drive[:])
	return Role(subtle.ConstantTimeSelect(isDrive, int(Drive), subtle.ConstantTimeSelect(isView, int(View), int(None))))
}

// TokenOf returns the token that a request carries: Authorization (Bearer, or the password of Basic, as in
// http://x:TOKEN@host) or a WebSocket sub-protocol "token.TOKEN". Query strings end in logs and are not read.
func TokenOf(r *http.Request) string {
	token, _ := credential(r)
	return token
}

// credential returns the token of a request, and whether the browser may have sent it by itself: it remembers the
// password of Basic for a host and sends it with requests that a page of another port makes. Tokens that only a page or
// program that knows them can send come first.
func credential(r *http.Request) (token string, remembered bool) {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return strings.TrimSpace(bearer), false
	}
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			if token, ok := strings.CutPrefix(strings.TrimSpace(p), TokenProtocol); ok {
				return token, false
			}
		}
	}
	if _, password, ok := r.BasicAuth(); ok {
		return password, true
	}
	return "", false
}
