#compdef PROGRAM
# PROGRAM: completion for zsh. Use: source <(PROGRAM completion zsh)
_FUNCTION() {
    local -a lines
    lines=("${(@f)$("${words[1]}" WORDS "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    compadd -- "${(@)lines:#}"
}
compdef _FUNCTION PROGRAM
