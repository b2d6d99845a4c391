// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// Limits of messages that come in parts.
const (
	maxParts     = 4096
	maxAssembled = 4 << 20           // bytes, of all messages of a client together
	partsTime    = 600 * time.Second // after the last part of a message, as in rosbridge_suite
	minFragment  = 64                // bytes: smaller sizes are taken as this
)

// assembly collects the parts of messages. Its zero value is ready; the client's reading goroutine uses it.
type assembly struct {
	messages map[string]*parts
	bytes    int
	oldest   time.Time // no message has had its last part before
}

// parts are what has arrived of a message.
type parts struct {
	data  []string
	count int
	bytes int
	last  time.Time
}

// add stores a part and returns the message when it is complete.
func (a *assembly) add(key string, r *request, now time.Time) (whole string, done bool, err error) {
	if r.Total < 1 || r.Total > maxParts || r.Number < 0 || r.Number >= r.Total {
		return "", false, fmt.Errorf("%w: fragment %d of %d: want 0 ≤ num < total ≤ %d", ErrMessage, r.Number, r.Total, maxParts)
	}
	a.dropOld(now)
	p := a.messages[key]
	if p == nil {
		p = &parts{data: make([]string, r.Total)}
	}
	overhead := 16*r.Total + len(key) + 256 // headers of the texts, the key, the entry of the map
	switch {
	case len(p.data) != r.Total:
		return "", false, fmt.Errorf("%w: fragment %d has total %d, those before %d", ErrMessage, r.Number, r.Total, len(p.data))
	case p.data[r.Number] != "":
		return "", false, fmt.Errorf("%w: fragment %d came twice", ErrMessage, r.Number)
	case r.Data == "":
		return "", false, fmt.Errorf("%w: fragment %d has no data", ErrMessage, r.Number)
	case a.bytes+len(r.Data)+overhead > maxAssembled && a.messages[key] == nil, a.bytes+len(r.Data) > maxAssembled:
		a.drop(key)
		return "", false, fmt.Errorf("%w: fragments of more than %d bytes", ErrMessage, maxAssembled)
	}
	if a.messages == nil {
		a.messages = map[string]*parts{}
	}
	if a.messages[key] == nil {
		a.messages[key] = p
		p.bytes = overhead
		a.bytes += p.bytes
	}
	p.data[r.Number], p.last = r.Data, now
	p.count++
	p.bytes += len(r.Data)
	a.bytes += len(r.Data)
	if p.count < r.Total {
		return "", false, nil
	}
	a.drop(key)
	return strings.Join(p.data, ""), true, nil
}

// dropOld drops messages whose last part was received more than partsTime ago.
func (a *assembly) dropOld(now time.Time) {
	if now.Sub(a.oldest) <= partsTime {
		return
	}
	a.oldest = now
	for k, p := range a.messages {
		if now.Sub(p.last) > partsTime {
			a.drop(k)
		} else if p.last.Before(a.oldest) {
			a.oldest = p.last
		}
	}
}

func (a *assembly) drop(key string) {
	if p := a.messages[key]; p != nil {
		a.bytes -= p.bytes
		delete(a.messages, key)
	}
}

// fragment collects a part of a message and processes the message when it is complete.
func (c *client) fragment(r *request) error {
	if r.ID.key == "" {
		return fmt.Errorf("%w: a fragment without id", ErrMessage)
	}
	whole, done, err := c.assembly.add("fragment "+r.ID.key, r, time.Now())
	if err != nil || !done {
		return err
	}
	return c.processAssembled([]byte(whole))
}

// processAssembled processes a message that came as fragments, as a PNG, or as fragments of one with a PNG.
func (c *client) processAssembled(data []byte) error {
	var head request
	if json.Unmarshal(data, &head) == nil && head.Op == "png" {
		return c.png(&head)
	}
	return c.process(true, data, false)
}

// png processes the message in a picture; the picture may come in parts.
func (c *client) png(r *request) error {
	data := r.Data
	if r.Total > 1 {
		if r.ID.key == "" {
			return fmt.Errorf("%w: a part of a PNG without id", ErrMessage)
		}
		whole, done, err := c.assembly.add("png "+r.ID.key, r, time.Now())
		if err != nil || !done {
			return err
		}
		data = whole
	}
	message, err := readPNG(data)
	if err != nil {
		return err
	}
	return c.process(true, message, false)
}

// readPNG returns the message in a picture, which is in base64.
func readPNG(text string) ([]byte, error) {
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%w: png: %w", ErrMessage, err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%w: png: %w", ErrMessage, err)
	}
	if pixels := float64(size.Width) * float64(size.Height); pixels*3 > maxAssembled {
		return nil, fmt.Errorf("%w: png: a picture of %d×%d pixels holds more than %d bytes", ErrMessage, size.Width, size.Height, maxAssembled)
	}
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%w: png: %w", ErrMessage, err)
	}
	return bytes.TrimRight(colours(m), "\n"), nil
}

// colours returns the red, green and blue of all pixels.
func colours(m image.Image) []byte {
	b := m.Bounds()
	out := make([]byte, 0, 3*b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			out = append(out, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	return out
}

// fragmentSize returns the size that a request demands, in bytes; 0 is none.
func (r *request) fragmentSize() int {
	if !(r.FragmentSize > 0) {
		return 0
	}
	return int(math.Min(math.Max(r.FragmentSize, minFragment), maxAssembled))
}

// split returns a message in fragments whose data have at most size bytes, or the message alone if it fits, or size
// is 0. A fragment ends where a character ends.
func split(message []byte, size int, id *identifier) [][]byte {
	if size <= 0 || len(message) <= size {
		return [][]byte{message}
	}
	var data [][]byte
	for len(message) > 0 {
		n := min(size, len(message))
		for n < len(message) && n > size-utf8.UTFMax && !utf8.RuneStart(message[n]) {
			n--
		}
		data, message = append(data, message[:n]), message[n:]
	}
	out := make([][]byte, 0, len(data))
	for i, d := range data {
		part := id.add(map[string]any{"op": "fragment", "data": string(d), "num": i, "total": len(data)})
		text, err := json.Marshal(part)
		if err != nil { // of texts and numbers there is none
			return nil
		}
		out = append(out, text)
	}
	return out
}

// numbering makes the ids of messages in fragments that have none of their own. It is safe for concurrent use.
type numbering struct{ last atomic.Int64 }

func (n *numbering) next() identifier {
	return identifier{raw: strconv.AppendInt(nil, n.last.Add(1), 10)}
}

// answer sends a response in the form that the request demands: as it is, as a PNG, or in fragments.
func (c *client) answer(r *request, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if r.Compression == "png" {
		data = pngBody(data)
	}
	id := r.ID
	if id.raw == nil {
		id = c.fragments.next()
	}
	for _, part := range split(data, r.fragmentSize(), &id) {
		if err := c.box.Answer(outbox.Frame{Head: part, Text: true}); err != nil {
			return err
		}
	}
	return nil
}
