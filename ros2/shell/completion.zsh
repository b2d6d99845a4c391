#compdef @PROGRAM@
# @PROGRAM@: completion for zsh. Use: source <(@PROGRAM@ completion zsh)
_@FUNCTION@() {
    local -a lines
    lines=("${(@f)$("${words[1]}" @COMPLETE@ "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    compadd -- "${(@)lines:#}"
}
if [[ ${funcstack[1]} == _@PROGRAM@ ]]; then
    _@FUNCTION@ "$@" # compinit found this as a file of its path and calls it
else
    compdef _@FUNCTION@ @PROGRAM@
fi
