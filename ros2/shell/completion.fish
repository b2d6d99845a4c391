# @PROGRAM@: completion for fish. Use: @PROGRAM@ completion fish | source
function __@FUNCTION@_words
    set -l typed (commandline -opc)
    $typed[1] @COMPLETE@ $typed[2..-1] (commandline -ct) 2>/dev/null
end
complete -c @PROGRAM@ -f -a '(__@FUNCTION@_words)'
