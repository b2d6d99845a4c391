# PROGRAM: completion for bash. Use: source <(PROGRAM completion bash)
_FUNCTION() {
    local typed=("${COMP_WORDS[@]:1:COMP_CWORD}") line
    COMPREPLY=()
    while IFS= read -r line; do
        [[ $line == *[\ {}]* ]] && printf -v line '%q' "$line"
        COMPREPLY+=("$line")
    done < <("${COMP_WORDS[0]}" WORDS "${typed[@]}" 2>/dev/null)
}
complete -o default -F _FUNCTION PROGRAM
