# PROGRAM: completion for fish. Use: PROGRAM completion fish | source
function __FUNCTION_words
    set -l typed (commandline -opc)
    $typed[1] WORDS $typed[2..-1] (commandline -ct) 2>/dev/null
end
complete -c PROGRAM -f -a '(__FUNCTION_words)'
