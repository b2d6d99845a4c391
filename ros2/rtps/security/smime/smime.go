// SPDX-License-Identifier: Apache-2.0

// Package smime signs documents as DDS Security 1.1 (9.4.1) wants them, and checks them: S/MIME multipart/signed with a
// detached PKCS#7 signature (RFC 8551, 3.5.3), as openssl smime and ros2 security write it.
package smime

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/smallstep/pkcs7"
)

// Errors of Verify.
var (
	// ErrFormat means that the document is not S/MIME multipart/signed.
	ErrFormat = errors.New("smime: not a signed document")
	// ErrSignature means that the signature is not one of the authority about this content.
	ErrSignature = errors.New("smime: not signed by the authority")
)

// MaxSize is the largest document, bytes.
const MaxSize = 1 << 20

// Verify returns the content of a signed document, without its MIME header, if the holder of the authority's
// certificate itself has signed it: a certificate that the authority has issued does not suffice. Lines of the content
// end as they do in the document. The error wraps ErrFormat or ErrSignature.
func Verify(document []byte, authority *x509.Certificate) ([]byte, error) {
	part, signature, err := split(document)
	if err != nil {
		return nil, err
	}
	signed, err := pkcs7.Parse(signature)
	if err != nil {
		return nil, fmt.Errorf("%w: PKCS#7: %w", ErrFormat, err)
	}
	if len(signed.Signers) == 0 {
		return nil, fmt.Errorf("%w: it has no signature", ErrSignature)
	}
	signed.Certificates = []*x509.Certificate{authority} // not those that it contains
	// Signers convert line ends to CR LF (RFC 8551, 3.1.1); some sign the bytes as they are.
	for _, content := range [][]byte{canonical(part), part} {
		signed.Content = content
		if err = signed.Verify(); err == nil {
			return body(part), nil
		}
	}
	return nil, fmt.Errorf("%w %q: %w", ErrSignature, authority.Subject, err)
}

// split returns the part that is signed, with its MIME header, and the signature in DER.
func split(document []byte) (part, signature []byte, err error) {
	if len(document) > MaxSize {
		return nil, nil, fmt.Errorf("%w: %d bytes, more than %d", ErrFormat, len(document), MaxSize)
	}
	boundary, err := boundaryOf(document)
	if err != nil {
		return nil, nil, err
	}
	parts := delimited(document, "--"+boundary)
	if len(parts) != 2 {
		return nil, nil, fmt.Errorf("%w: %d parts, want the content and its signature", ErrFormat, len(parts))
	}
	text := body(parts[1])
	der := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(der, text) // ignores line ends
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the signature is not base64: %w", ErrFormat, err)
	}
	return parts[0], der[:n], nil
}

// boundaryOf returns the boundary that the header names.
func boundaryOf(document []byte) (string, error) {
	for line := range strings.Lines(string(header(document))) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || !strings.EqualFold(name, "Content-Type") {
			continue
		}
		kind, parameters, err := mime.ParseMediaType(value)
		if err != nil || kind != "multipart/signed" || parameters["boundary"] == "" {
			return "", fmt.Errorf("%w: Content-Type %.80q", ErrFormat, value)
		}
		return parameters["boundary"], nil
	}
	return "", fmt.Errorf("%w: its header has no Content-Type", ErrFormat)
}

// header returns the lines before the first empty one; lines that continue another are joined to it.
func header(document []byte) []byte {
	text := document[:len(document)-len(body(document))]
	for _, fold := range []string{"\r\n\t", "\r\n ", "\n\t", "\n "} {
		text = bytes.ReplaceAll(text, []byte(fold), []byte(" "))
	}
	return text
}

// body returns what follows the first empty line.
func body(part []byte) []byte {
	for rest := part; ; {
		line, after, ok := bytes.Cut(rest, []byte("\n"))
		if len(bytes.TrimRight(line, "\r")) == 0 {
			return after
		}
		if !ok {
			return nil
		}
		rest = after
	}
}

// delimited returns the parts between lines that begin with a delimiter, up to the one that also ends with "--". The
// line end before a delimiter belongs to it.
func delimited(document []byte, delimiter string) (parts [][]byte) {
	begin := -1
	for at := 0; at < len(document); {
		end := bytes.IndexByte(document[at:], '\n')
		next := len(document)
		if end >= 0 {
			next = at + end + 1
		}
		line := strings.TrimRight(string(document[at:next]), "\r\n \t")
		if line == delimiter || line == delimiter+"--" {
			if begin >= 0 {
				parts = append(parts, withoutLineEnd(document[begin:at]))
			}
			begin = next
			if line != delimiter {
				return parts
			}
		}
		at = next
	}
	return nil // it does not end
}

// withoutLineEnd removes one line end at the end.
func withoutLineEnd(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r"))
}

// canonical converts all line ends to CR LF.
func canonical(b []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// Sign returns the document with a text signed by an authority.
func Sign(text []byte, authority *x509.Certificate, key crypto.PrivateKey) ([]byte, error) {
	part := append([]byte("Content-Type: text/plain\n\n"), bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))...)
	data, err := pkcs7.NewSignedData(canonical(part))
	if err != nil {
		return nil, fmt.Errorf("smime: %w", err)
	}
	data.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	if err := data.AddSigner(authority, key, pkcs7.SignerInfoConfig{}); err != nil {
		return nil, fmt.Errorf("smime: %w", err)
	}
	data.Detach()
	der, err := data.Finish()
	if err != nil {
		return nil, fmt.Errorf("smime: %w", err)
	}
	var number [16]byte
	if _, err := rand.Read(number[:]); err != nil {
		return nil, fmt.Errorf("smime: %w", err)
	}
	boundary := "----" + strings.ToUpper(hex.EncodeToString(number[:]))
	var out bytes.Buffer
	fmt.Fprintf(&out, "MIME-Version: 1.0\nContent-Type: multipart/signed; protocol=\"application/x-pkcs7-signature\"; "+
		"micalg=\"sha-256\"; boundary=\"%s\"\n\nThis is an S/MIME signed message\n\n--%s\n", boundary, boundary)
	out.Write(part)
	fmt.Fprintf(&out, "\n--%s\nContent-Type: application/x-pkcs7-signature; name=\"smime.p7s\"\n"+
		"Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"smime.p7s\"\n\n", boundary)
	for text := base64.StdEncoding.EncodeToString(der); text != ""; {
		n := min(64, len(text))
		out.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	fmt.Fprintf(&out, "\n--%s--\n", boundary)
	return out.Bytes(), nil
}
