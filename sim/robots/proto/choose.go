// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// choice is what is known of template code that keeps or leaves out text by the defaults of the header's fields:
// constants, if and else. No other code has an effect.
type choice struct {
	header func(name string) *field // of the PROTO, nil: the file has none
	consts map[string]string        // expressions by their names; empty: the name has several
	open   []branch                 // the ifs around the text that is read now
}

// branch is an if whose end has not come.
type branch struct {
	line  int
	keep  bool // the text of its present branch
	taken bool // a branch was kept
	out   bool // the text around it is left out
}

// step is an if with its condition, an else, an else if or the end of one.
type step struct {
	closes, opens bool
	condition     string // empty: of an else
}

var (
	constCode = regexp.MustCompile(`(?m)^\s*const\s+([A-Za-z_]\w*)\s*=\s*([^;]*);`)
	ifCode    = regexp.MustCompile(`^(?:\}\s*else\s+)?if\s*\(`)
	elseCode  = regexp.MustCompile(`^\}\s*else\s*\{`)
)

// learn keeps the constants of code that decides nothing of the text around it. In blocks they are something else.
func (c *choice) learn(code string) {
	if strings.Contains(code, "{") {
		return
	}
	for _, m := range constCode.FindAllStringSubmatch(code, -1) {
		if c.consts == nil {
			c.consts = map[string]string{}
		}
		if _, twice := c.consts[m[1]]; twice {
			m[2] = ""
		}
		c.consts[m[1]] = m[2]
	}
}

// steps reads code that is nothing but ifs, elses and their ends.
func steps(code string) (list []step, ok bool) {
	for code = strings.TrimSpace(code); code != ""; code = strings.TrimSpace(code) {
		s := step{closes: code[0] == '}', opens: true}
		switch head := ifCode.FindString(code); {
		case head != "":
			condition, rest, ok := enclosed(code[len(head):])
			if rest = strings.TrimSpace(rest); !ok || condition == "" || !strings.HasPrefix(rest, "{") {
				return nil, false
			}
			s.condition, code = condition, rest[1:]
		case elseCode.MatchString(code):
			code = code[len(elseCode.FindString(code)):]
		case s.closes:
			s.opens, code = false, code[1:]
		default:
			return nil, false
		}
		list = append(list, s)
	}
	return list, len(list) > 0
}

// enclosed cuts a text at the parenthesis that ends it.
func enclosed(text string) (inside, rest string, ok bool) {
	depth, quote := 1, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return text[:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// leftOut reports whether the text that comes now is left out.
func (c *choice) leftOut() bool {
	n := len(c.open)
	return n > 0 && (c.open[n-1].out || !c.open[n-1].keep)
}

// apply does steps, and reports whether all of them could be decided. If not, nothing has changed.
func (c *choice) apply(list []step, line int) bool {
	before := append([]branch(nil), c.open...)
	for _, s := range list {
		if !c.advance(s, line) {
			c.open = before
			return false
		}
	}
	return len(c.open) <= maxDepth
}

// advance does a step.
func (c *choice) advance(s step, line int) bool {
	b := branch{line: line, out: c.leftOut()}
	if s.closes {
		if len(c.open) == 0 {
			return false
		}
		b = c.open[len(c.open)-1]
		c.open = c.open[:len(c.open)-1]
	}
	if !s.opens {
		return true
	}
	b.keep = !b.out && !b.taken
	if b.keep && s.condition != "" {
		var ok bool
		if b.keep, ok = c.decide(s.condition); !ok {
			return false
		}
	}
	b.taken = b.taken || b.keep
	c.open = append(c.open, b)
	return true
}

// choose goes over a block of code of so many bytes if it is ifs, elses and their ends that can be decided, and over
// the text that is left out then. It reports whether it was one.
func (s *scanner) choose(code string, size int) bool {
	list, ok := steps(code)
	if !ok || !s.choice.apply(list, s.line) {
		return false
	}
	s.pass(size)
	for from := s.line; s.choice.leftOut(); {
		begin := bytes.Index(s.text[s.at:], []byte("%<"))
		if begin < 0 {
			s.failf(errSyntax, s.choice.open[len(s.choice.open)-1].line, "template code: an if without its end")
			return true
		}
		s.pass(begin)
		end := bytes.Index(s.text[s.at:], []byte(">%"))
		if end < 2 {
			s.failf(errSyntax, s.line, "template code without its >%%")
			return true
		}
		code := string(s.text[s.at+2 : s.at+end])
		list, ok := steps(code)
		if ok && !s.choice.apply(list, s.line) || !ok && decides(code, ">%") != "" {
			s.failf(errTemplate, s.line, "it chooses or repeats what is outside of it: save the robot from Webots with its fields filled in")
			return true
		}
		if line := s.line; !s.choice.leftOut() && line > from {
			s.remarks = append(s.remarks, description.Remark{Line: from, Text: "template code: the defaults of the PROTO's fields leave out what comes here"})
		}
		s.pass(end + len(">%"))
	}
	return true
}

// pass goes over so many bytes.
func (s *scanner) pass(size int) {
	s.line += bytes.Count(s.text[s.at:s.at+size], []byte("\n"))
	s.at += size
}

// decide evaluates a condition, and reports whether its value is known.
func (c *choice) decide(condition string) (boolean, ok bool) {
	e := &expression{text: condition, choice: c}
	v := e.or(0)
	e.space()
	boolean, ok = v.(bool)
	return boolean, ok && e.at == len(e.text) && !e.bad
}
