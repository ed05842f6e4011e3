/** `comanda completion` prints the script by which a shell completes comanda's commands. */
import type { Command } from "../cli/command.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

export function completion(command: Command): void {
  command
    .arguments("<shell>")
    .about(
      "completion by Tab, for bash, zsh, fish and PowerShell",
      "Prints the shell's script. Completed are commands, options, closed values, filter fields, periods, and the stores, " +
        "environments and drivers that this machine knows.",
    )
    .examples("completion bash > ~/.local/share/bash-completion/completions/comanda")
    .does(({ output }, _, [name = ""]) => {
      const shell = shells.find((known) => known === name);
      if (shell === undefined) {
        throw new ComandaError("usage", t`There is no completion for "${name}".`, {
          hint: t`There are: ${shells.join(", ")}.`,
        });
      }
      output.text(scripts[shell]);
      return Promise.resolve();
    });
}

/** A shell runs its script at a Tab: that asks `comanda complete`, and offers each line's text with its summary. */
const shells = ["bash", "zsh", "fish", "powershell"] as const;
const bash = `# comanda: completion for bash
_comanda() {
  local line text word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    text="\${line%%$'\\t'*}"
    # Within quotes bash takes the text as it is.
    if [[ "$word" != [\\'\\"]* ]]; then printf -v text '%q' "$text"; fi
    COMPREPLY+=("$text")
  done < <(comanda complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # A field or an option that ends with = goes on.
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _comanda comanda
`;

const zsh = `#compdef comanda
# comanda: completion for zsh
_comanda() {
  local line text
  local -a found
  for line in "\${(@f)$(comanda complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] || continue
    text="\${\${line%%$'\\t'*}//:/\\\\:}"
    line="\${line#*$'\\t'}"
    found+=("$text\${line:+:$line}")
  done
  if (( \${#found} )); then _describe 'comanda' found; else _files; fi
}
if [[ "$funcstack[1]" == "_comanda" ]]; then _comanda "$@"; else compdef _comanda comanda; fi
`;

const fish = `# comanda: completion for fish
function __comanda_complete
    set -l before (commandline -opc)
    set -l found (comanda complete fish $before[2..-1] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c comanda -f -a '(__comanda_complete)'
`;

const powershell = `# comanda: completion for PowerShell
Register-ArgumentCompleter -Native -CommandName comanda -ScriptBlock {
  param($word, $line, $cursor)
  $typed = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  # An argument that is empty would be left out: = stands before the last.
  comanda complete powershell @typed "=$word" 2>$null | ForEach-Object {
    $text, $summary = $_ -split "\`t", 2
    if (-not $summary) { $summary = $text }
    $insert = if ($text -match '[<> ]') { "'$text'" } else { $text }
    [System.Management.Automation.CompletionResult]::new($insert, $text, 'ParameterValue', $summary)
  }
}
`;

export const scripts: Readonly<Record<(typeof shells)[number], string>> = { bash, zsh, fish, powershell };
