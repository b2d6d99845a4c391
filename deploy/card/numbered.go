// SPDX-License-Identifier: Apache-2.0

package card

import (
	"fmt"
	"strings"
)

// Numbered returns the epuck.txt of one robot of a class: the template with name, namespace and, if set, the folder
// of keys replaced by robotNN; everything else, including comments, is preserved. Its lines end with CR LF.
func Numbered(template []byte, number, of int) ([]byte, error) {
	text, err := lines(template)
	if err != nil {
		return nil, err
	}
	robot := fmt.Sprintf("robot%0*d", len(fmt.Sprint(of)), number)
	values := map[string]string{keyName: robot, keyNamespace: robot}
	var out strings.Builder
	for _, line := range text {
		if written, value, blank, ok := split(line); ok && !blank {
			k, known := keyOf(written)
			if known && k.name == keyKeys && value != "" && value != noKeys {
				line = keyKeys + " = " + robot
			}
			if known && values[k.name] != "" {
				line = k.name + " = " + values[k.name]
				delete(values, k.name)
			}
		}
		out.WriteString(line + "\r\n")
	}
	for _, name := range []string{keyName, keyNamespace} {
		if v := values[name]; v != "" {
			out.WriteString(name + " = " + v + "\r\n")
		}
	}
	return []byte(out.String()), nil
}
