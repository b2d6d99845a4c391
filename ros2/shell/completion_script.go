// SPDX-License-Identifier: Apache-2.0

package shell

import (
	_ "embed"
	"strings"
)

//go:embed completion.bash
var completionBash string

//go:embed completion.zsh
var completionZsh string

//go:embed completion.fish
var completionFish string

// CompletionScript returns what a shell ("bash", "zsh" or "fish") must read to
// complete the program's arguments. It runs the program with the arguments words
// and the words typed, the last of which may be empty, and offers the lines of its
// output; see [Complete].
func CompletionScript(shell, program, words string) (script string, ok bool) {
	scripts := map[string]string{"bash": completionBash, "zsh": completionZsh, "fish": completionFish}
	script, ok = scripts[shell]
	function := strings.ReplaceAll(program, "-", "_")
	return strings.NewReplacer("@PROGRAM@", program, "@FUNCTION@", function, "@COMPLETE@", words).Replace(script), ok
}
