# Completion of xbench for bash. It gets commands, options, benchmarks, guide cases, axes and devices from the program itself, so
# this file depends only on the words that the help uses for kinds of values.

# _xbench_values PROGRAM KIND CURRENT: prints the words for a KIND, in the help's notation: hot|cold, FILE,
# BENCHMARK/VARIANT|DEVICE. Variants are offered once CURRENT has a slash.
_xbench_values() {
  local program=$1 kind=$2 current=$3
  if [[ $kind == *BENCHMARK* && $current == */* ]]; then
    "$program" list "${current%%/*}" 2>/dev/null | sed -nE 's/^  ([a-z0-9_]+)\/[0-9]+ +([a-z0-9_]+) .*/\1\/\2/p'
  elif [[ $kind == *BENCHMARK* ]]; then
    "$program" list benchmarks 2>/dev/null | sed -nE 's/^([a-z0-9_]+): .*/\1/p'
  fi
  [[ $kind == *CASE* ]] && "$program" guide --list 2>/dev/null | sed -nE 's/^([a-z0-9_]+) .*/\1/p'
  [[ $kind == *DEVICE* || $kind == *UUID* ]] && "$program" list devices 2>/dev/null |
    sed -nE 's/^  ([0-9]+)  .*/\1/p; s/^     uuid ([0-9a-f-]+),.*/\1/p'
  [[ $kind == TYPES ]] && "$program" list benchmarks 2>/dev/null |
    sed -nE 's/^[a-z0-9_]+: .*\(([a-z0-9, ]+)\)$/\1/p' | tr -s ', ' '\n' | sort -u
  [[ $kind == AXIS=* ]] && "$program" list benchmarks 2>/dev/null | sed -nE 's/^  --at ([a-z0-9_]+=).*/\1/p' | sort -u
  [[ $kind =~ ^(BENCHMARK\|)?[a-z0-9]+(\|[a-z0-9]+)+$ ]] && tr '|' '\n' <<<"${kind#BENCHMARK|}"
  return 0
}

_xbench() {
  local program=${1/#\~/$HOME} current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local help commands command= option= kind= names= line word
  COMPREPLY=()
  help=$("$program" --help --wide 2>/dev/null) || return
  commands=$(sed -nE 's/^  ([a-z]+)  .*/\1/p' <<<"$help")
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ -z $command && $word == [a-z]* && $'\n'$commands$'\n' == *$'\n'"$word"$'\n'* ]] && command=$word
  done

  if [[ $current == = ]]; then # readline makes = a separate word
    option=$before current=
  elif [[ $before == = ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $before == -* ]]; then
    option=$before
  fi
  [[ -n $option && $option != -* ]] && return # --at offset=
  [[ -n $command ]] && help=$("$program" "$command" --help --wide 2>/dev/null)
  while IFS= read -r line; do
    [[ $line =~ ^\ +((-.),\ )?(--[a-z0-9-]+)([=\ ]([^ ]+))? ]] || continue
    names+=" ${BASH_REMATCH[3]}"
    [[ -n $option && ($option == "${BASH_REMATCH[2]}" || $option == "${BASH_REMATCH[3]}") ]] && kind=${BASH_REMATCH[5]}
  done <<<"$help"
  if [[ -z $kind && $current == -* ]]; then
    COMPREPLY=($(compgen -W "$names" -- "$current"))
    return
  fi

  if [[ -z $kind ]]; then # not an option's value: use the line of usage
    kind=$(sed -nE "s/^Usage: xbench ${command:+$command }(.*)/\1/p" <<<"$help" |
      sed -E 's/\[OPTION\.\.\.\]//; s/ //g; s/^\[([^]]*)\]$/\1/')
    [[ -z $command && $COMP_CWORD -eq 1 ]] && COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
  COMPREPLY+=($(compgen -W "$(_xbench_values "$program" "$kind" "$current")" -- "$current"))
  [[ $kind == AXIS=* ]] && compopt -o nospace 2>/dev/null
  if [[ $kind == *FILE* || $kind == *.json* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _xbench xbench
