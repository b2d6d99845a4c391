// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTextIsWhatPrometheusReads(t *testing.T) {
	var page Text
	page.Family("viewers", "gauge", "Viewers now.")
	page.Sample("viewers", 3)
	page.Family("bytes_total", "counter", "Bytes \\ sent\nin all.")
	page.Sample("bytes_total", 1e9, Label{"topic", "/odom"})
	page.Sample("bytes_total", 0.5, Label{"topic", `/a"b\c`}, Label{"kind", "x\ny"})
	page.One("up", "gauge", "One.", 1)
	const want = `# HELP viewers Viewers now.
# TYPE viewers gauge
viewers 3
# HELP bytes_total Bytes \\ sent\nin all.
# TYPE bytes_total counter
bytes_total{topic="/odom"} 1e+09
bytes_total{topic="/a\"b\\c",kind="x\ny"} 0.5
# HELP up One.
# TYPE up gauge
up 1
`
	if got := string(page.Bytes()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestEmptyTextHasNoBytes(t *testing.T) {
	var page Text
	if got := page.Bytes(); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestNumbersOfPrometheus(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {-1, "-1"}, {0.1, "0.1"}, {1e21, "1e+21"}, {math.MaxUint32, "4.294967295e+09"},
		{math.NaN(), "NaN"}, {math.Inf(1), "+Inf"}, {math.Inf(-1), "-Inf"}, {math.Copysign(0, -1), "-0"},
	} {
		if got := number(c.v); got != c.want {
			t.Errorf("number(%v) = %s, want %s", c.v, got, c.want)
		}
	}
}

// A label's value of any bytes stays on its line, and a reader that undoes the escapes gets it back.
func TestLabelsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := string(rapid.SliceOf(rapid.Byte()).Draw(t, "value"))
		var page Text
		page.Sample("x", 1, Label{"l", value})
		line := string(page.Bytes())
		body, ok := strings.CutPrefix(line, `x{l="`)
		body, closed := strings.CutSuffix(body, "\"} 1\n")
		switch {
		case !ok || !closed:
			t.Fatalf("%q", line)
		case strings.Contains(body, "\n"):
			t.Fatalf("%q ends its line", line)
		case !utf8.ValidString(body):
			t.Fatalf("%q is no UTF-8", body)
		}
		if got := unescape(body); got != strings.ToValidUTF8(value, "\uFFFD") {
			t.Fatalf("%q came back as %q", value, got)
		}
	})
}

// unescape reads a label's value as the specification of the format says.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		if s[i] == 'n' {
			b.WriteByte('\n')
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
