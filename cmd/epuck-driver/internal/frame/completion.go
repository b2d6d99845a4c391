// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"github.com/spf13/cobra"
)

// NewCompletionCommand returns the command that prints the completion script of a shell. The script calls the
// program, so that topics, nodes and the like are those of the network.
func NewCompletionCommand(p *Program) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the script that completes these commands in a shell",
		Long: "Prints the script that completes commands, flags, and names of topics, nodes, parameters, services and worlds.\n" +
			"The Debian package installs it for the first three shells. That of bash needs the package bash-completion.",
		Example: "  source <(epuck-driver completion bash)        # ~/.bashrc\n" +
			"  source <(epuck-driver completion zsh)         # ~/.zshrc\n" +
			"  epuck-driver completion fish | source         # ~/.config/fish/config.fish\n" +
			"  epuck-driver completion powershell | Out-String | Invoke-Expression",
		ValidArgs:             []string{"bash", "zsh", "fish", "powershell"},
		Args:                  oneShell,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.Out, true)
			case "zsh":
				return root.GenZshCompletion(p.Out)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.Out)
			default:
				return root.GenFishCompletion(p.Out, true)
			}
		},
	}
}

func oneShell(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return Usagef("want the name of a shell: bash, zsh, fish or powershell")
	}
	if cobra.OnlyValidArgs(cmd, args) != nil {
		return Usagef("no completion for %q: bash, zsh, fish and powershell have one", args[0])
	}
	return nil
}
