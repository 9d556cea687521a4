"""``referee completion``: the script by which a shell completes commands and names."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import typer

from referee.cli import output
from referee.cli.session import COMPLETE


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="Your shell.")],
) -> None:
    """Print a script for shell completion.

    With it the shell completes commands, options, matches, players and seats.

    Example: referee completion bash > ~/.local/share/bash-completion/completions/referee

    Example: referee completion zsh > ~/.zfunc/_referee

    Example: referee completion fish > ~/.config/fish/completions/referee.fish
    """
    script = _SCRIPTS[shell].replace("VARIABLE", COMPLETE)
    output.result({"shell": shell, "script": script}, script)


_SCRIPTS: Final = {
    "bash": """\
_referee_completion() {
    local IFS=$'\\n'
    COMPREPLY=($(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        VARIABLE=complete_bash "$1" 2>/dev/null))
    return 0
}
complete -o default -F _referee_completion referee""",
    "zsh": """\
#compdef referee
_referee_completion() {
    eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" VARIABLE=complete_zsh \\
        "${words[1]}" 2>/dev/null)
}
compdef _referee_completion referee""",
    "fish": """\
function _referee_completion
    set -lx VARIABLE complete_fish
    set -lx _TYPER_COMPLETE_FISH_ACTION $argv[1]
    set -lx _TYPER_COMPLETE_ARGS (commandline -cp)
    referee 2>/dev/null
end
complete --command referee --no-files --condition '_referee_completion is-args' \\
    --arguments '(_referee_completion get-args)'""",
}
