// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"strconv"
	"strings"
)

// maxNested bounds how deep conditions are, and constants of constants.
const maxNested = 20

// expression is a condition of template code: strings, numbers, true, false, fields.NAME.value, constants, comparisons
// and !, && and ||. Its values are string, float64 and bool; all else is bad.
type expression struct {
	text   string
	at     int
	bad    bool
	choice *choice
}

func (e *expression) space() {
	for e.at < len(e.text) && strings.IndexByte(" \t\r\n", e.text[e.at]) >= 0 {
		e.at++
	}
}

// accept goes over a mark if it comes next.
func (e *expression) accept(mark string) bool {
	if e.space(); !strings.HasPrefix(e.text[e.at:], mark) {
		return false
	}
	e.at += len(mark)
	return true
}

// fail makes the condition one that is not decided here.
func (e *expression) fail() any {
	e.bad = true
	return nil
}

func (e *expression) boolean(v any) bool {
	t, ok := v.(bool)
	e.bad = e.bad || !ok
	return t
}

func (e *expression) or(depth int) any {
	v := e.and(depth)
	for e.accept("||") {
		a, b := e.boolean(v), e.boolean(e.and(depth))
		v = a || b
	}
	return v
}

func (e *expression) and(depth int) any {
	v := e.comparison(depth)
	for e.accept("&&") {
		a, b := e.boolean(v), e.boolean(e.comparison(depth))
		v = a && b
	}
	return v
}

func (e *expression) comparison(depth int) any {
	v := e.unary(depth)
	for _, mark := range []string{"===", "!==", "==", "!=", ">=", "<=", ">", "<"} {
		if e.accept(mark) {
			return e.compare(mark, v, e.unary(depth))
		}
	}
	return v
}

// compare compares two values of the same type.
func (e *expression) compare(mark string, a, b any) any {
	x, numbers := a.(float64)
	y, both := b.(float64)
	_, texts := a.(string)
	_, text := b.(string)
	_, booleans := a.(bool)
	_, boolean := b.(bool)
	switch {
	case !(numbers && both || texts && text || booleans && boolean):
		return e.fail()
	case mark[0] == '=':
		return a == b
	case mark[0] == '!':
		return a != b
	case !numbers:
		return e.fail()
	case mark == ">=":
		return x >= y
	case mark == "<=":
		return x <= y
	case mark == ">":
		return x > y
	}
	return x < y
}

func (e *expression) unary(depth int) any {
	if depth > maxNested {
		return e.fail()
	}
	if e.accept("!") {
		return !e.boolean(e.unary(depth + 1))
	}
	if e.accept("(") {
		v := e.or(depth + 1)
		if !e.accept(")") {
			return e.fail()
		}
		return v
	}
	return e.primary(depth)
}

func (e *expression) primary(depth int) any {
	e.space()
	from := e.at
	if from == len(e.text) {
		return e.fail()
	}
	if c := e.text[from]; c == '\'' || c == '"' {
		end := strings.IndexByte(e.text[from+1:], c)
		if end < 0 || strings.ContainsRune(e.text[from+1:from+1+end], '\\') {
			return e.fail()
		}
		e.at += end + 2
		return e.text[from+1 : from+1+end]
	}
	for e.at < len(e.text) && (e.text[e.at] == '.' || e.text[e.at] == '_' || e.text[e.at] == '-' && e.at == from ||
		e.text[e.at] >= '0' && e.text[e.at] <= '9' || e.text[e.at]|0x20 >= 'a' && e.text[e.at]|0x20 <= 'z') {
		e.at++
	}
	word := e.text[from:e.at]
	if v, err := strconv.ParseFloat(word, 64); err == nil && !strings.ContainsAny(word, "nNfFpP_") {
		return v
	}
	switch word {
	case "true":
		return true
	case "false":
		return false
	}
	return e.named(word, depth)
}

// named is the value of a constant, or the default of a field: fields.NAME.value.
func (e *expression) named(word string, depth int) any {
	if text := e.choice.consts[word]; text != "" {
		inner := &expression{text: text, choice: e.choice}
		v := inner.or(depth + 1)
		if inner.space(); inner.bad || inner.at != len(text) {
			return e.fail()
		}
		return v
	}
	name, isField := strings.CutPrefix(word, "fields.")
	name, isValue := strings.CutSuffix(name, ".value")
	if !isValue {
		name, isValue = strings.CutSuffix(name, ".defaultValue")
	}
	if !isField || !isValue || e.choice.header == nil {
		return e.fail()
	}
	f := e.choice.header(name)
	switch {
	case f == nil || f.val.list:
		return e.fail()
	case len(f.val.strings) == 1:
		return f.val.strings[0]
	case len(f.val.booleans) == 1:
		return f.val.booleans[0]
	case len(f.val.numbers) == 1:
		return f.val.numbers[0]
	}
	return e.fail()
}
