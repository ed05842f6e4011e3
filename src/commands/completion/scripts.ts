/** What each shell runs at a Tab: it asks `comanda complete`, and offers each line's text with what it is for. */

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

const bash = `# comanda: completion for bash
_comanda() {
  local line text quoted
  COMPREPLY=()
  while IFS= read -r line; do
    text="\${line%%$'\\t'*}"
    printf -v quoted '%q' "$text"
    COMPREPLY+=("$quoted")
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
    text="\${line%%$'\\t'*}"
    found+=("\${text//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe 'comanda' found; else _files; fi
}
if [[ "$funcstack[1]" == "_comanda" ]]; then _comanda "$@"; else compdef _comanda comanda; fi
`;

const fish = `# comanda: completion for fish
function __comanda_complete
    set -l before (commandline -opc)
    comanda complete fish $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c comanda -f -a '(__comanda_complete)'
`;

const powershell = `# comanda: completion for PowerShell
Register-ArgumentCompleter -Native -CommandName comanda -ScriptBlock {
  param($word, $line, $cursor)
  $typed = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  comanda complete powershell @typed "$word" 2>$null | ForEach-Object {
    $text, $summary = $_ -split "\`t", 2
    if (-not $summary) { $summary = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $summary)
  }
}
`;

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
