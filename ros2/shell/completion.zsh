#compdef @PROGRAM@
# @PROGRAM@: completion for zsh. Use: source <(@PROGRAM@ completion zsh)
_@FUNCTION@() {
    local -a lines
    lines=("${(@f)$("${words[1]}" @COMPLETE@ "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    compadd -- "${(@)lines:#}"
}
compdef _@FUNCTION@ @PROGRAM@
