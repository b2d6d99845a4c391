// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"math"
)

// pngBody packs a JSON message into a picture for rosbridge's "png" compression: its bytes are the red, green and
// blue of a nearly square picture, padded with line feeds; the file is sent in base64 in another message. It returns
// nil if the encoding fails.
func pngBody(message []byte) []byte {
	pixels := (len(message) + 2) / 3
	width := max(1, int(math.Sqrt(float64(pixels))))
	height := max(1, (pixels+width-1)/width)
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		for c := range 3 {
			m.Pix[4*i+c] = '\n'
			if at := 3*i + c; at < len(message) {
				m.Pix[4*i+c] = message[at]
			}
		}
		m.Pix[4*i+3] = 0xff // without an alpha channel in the file
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, m); err != nil {
		return nil
	}
	out := append([]byte(`{"op":"png","data":"`), base64.StdEncoding.EncodeToString(file.Bytes())...)
	return append(out, `"}`...)
}
