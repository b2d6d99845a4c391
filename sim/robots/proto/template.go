// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"bytes"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// template goes over the template code that begins here, and reports whether there is any. Code that computes and
// decides nothing of the text around it is listed, ifs that the header's fields decide are followed; all other is an
// error.
func (s *scanner) template() bool {
	rest := s.text[s.at:]
	closing := ">%"
	switch {
	case bytes.HasPrefix(rest, []byte("%<")):
	case bytes.HasPrefix(rest, []byte("%{")): // Lua, of old releases
		closing = "}%"
	default:
		return false
	}
	end := bytes.Index(rest, []byte(closing))
	if end < 2 {
		s.failf(errSyntax, s.line, "template code without its %s", closing)
		return true
	}
	if closing == ">%" && s.choose(string(rest[2:end]), end+len(closing)) {
		return true
	}
	if why := decides(string(rest[2:end]), closing); why != "" {
		s.failf(errTemplate, s.line, "%s: save the robot from Webots with its fields filled in", why)
		return true
	}
	s.choice.learn(string(rest[2:end]))
	s.remarks = append(s.remarks, description.Remark{Line: s.line, Text: "template code: it is not run"})
	s.line += bytes.Count(rest[:end], []byte("\n"))
	s.at += end + len(closing)
	return true
}

// decides says how code decides what the text around it becomes; empty: it does not. Text outside of the code is a
// statement to the template's language: it is chosen or repeated by a brace that is open, or by a last statement
// without its end.
func decides(code, closing string) string {
	switch {
	case closing != ">%":
		return "it is Lua"
	case strings.HasPrefix(code, "="):
		return "it puts in a value"
	}
	depth, last := 0, byte(';')
	for len(code) > 0 {
		c := code[0]
		skip := 1
		switch {
		case strings.HasPrefix(code, "//"):
			skip = past(code, "\n", 2)
		case strings.HasPrefix(code, "/*"):
			skip = past(code, "*/", 2)
		case c == '/' && strings.IndexByte("(,=:[!&|?{};", last) >= 0:
			return "it has a regular expression"
		case c == '"' || c == '\'' || c == '`':
			skip, last = past(code, string(c), 1), c
		case strings.IndexByte("{[(", c) >= 0:
			depth, last = depth+1, c
		case strings.IndexByte("}])", c) >= 0:
			if depth, last = depth-1, c; depth < 0 {
				return "it ends what was begun outside of it"
			}
		case c > ' ':
			last = c
		}
		code = code[skip:]
	}
	if depth > 0 || last != ';' && last != '}' {
		return "it chooses or repeats what is outside of it"
	}
	return ""
}

// past is the number of bytes up to the end of a comment or a string, all if it has none.
func past(code, end string, from int) int {
	for i := from; i < len(code); i++ {
		switch {
		case from == 1 && code[i] == '\\':
			i++
		case strings.HasPrefix(code[i:], end):
			return i + len(end)
		}
	}
	return len(code)
}
