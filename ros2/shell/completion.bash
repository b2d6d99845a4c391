# @PROGRAM@: completion for bash. Use: source <(@PROGRAM@ completion bash)
_@FUNCTION@() {
    local typed=("${COMP_WORDS[@]:1:COMP_CWORD}") line
    COMPREPLY=()
    while IFS= read -r line; do
        [[ $line == *[\ {}]* ]] && printf -v line '%q' "$line"
        COMPREPLY+=("$line")
    done < <("${COMP_WORDS[0]}" @COMPLETE@ "${typed[@]}" 2>/dev/null)
}
complete -o default -F _@FUNCTION@ @PROGRAM@
