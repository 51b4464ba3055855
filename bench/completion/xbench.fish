# Completion of xbench for fish. It gets commands, options, benchmarks, guide cases, axes and devices from the program itself;
# see xbench.bash.

# __xbench_values PROGRAM KIND BEFORE: prints the words for a KIND, in the help's notation, each prefixed with BEFORE.
function __xbench_values
    set -l program $argv[1]
    set -l kind $argv[2]
    set -l before $argv[3]
    set -l current (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    if string match -q '*BENCHMARK*' -- $kind; and string match -q '*/*' -- $current # variants, once there is a slash
        $program list (string replace -r '/.*' '' -- $current) 2>/dev/null |
            string replace -rf -- '^  ([a-z0-9_]+)/[0-9]+ +([a-z0-9_]+) +(.*)' "$before\$1/\$2\t\$3"
    else if string match -q '*BENCHMARK*' -- $kind
        $program list benchmarks 2>/dev/null | string replace -rf -- '^([a-z0-9_]+): (.*)' "$before\$1\t\$2"
    end
    if string match -q '*CASE*' -- $kind
        $program guide --list 2>/dev/null | string replace -rf -- '^([a-z0-9_]+) +(.*)' "$before\$1\t\$2"
    end
    if string match -qr 'DEVICE|UUID' -- $kind
        $program list devices 2>/dev/null | string replace -rf -- '^  ([0-9]+)  (.*)' "$before\$1\t\$2"
        $program list devices 2>/dev/null | string replace -rf -- '^     uuid ([0-9a-f-]+),.*' "$before\$1"
    end
    if test "$kind" = TYPES
        for type in ($program list benchmarks 2>/dev/null | string replace -rf '^[a-z0-9_]+: .*\(([a-z0-9, ]+)\)$' '$1' |
                string split ', ' | sort -u)
            echo $before$type
        end
    end
    if string match -q 'AXIS=*' -- $kind
        $program list benchmarks 2>/dev/null | string replace -rf -- '^  --at ([a-z0-9_]+=)(.*)' "$before\$1\t\$2"
    end
    if string match -qr '^(BENCHMARK\|)?[a-z0-9]+(\|[a-z0-9]+)+$' -- $kind
        for choice in (string replace 'BENCHMARK|' '' -- $kind | string split '|')
            echo $before$choice
        end
    end
    if string match -qr 'FILE|\.json' -- $kind
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct)) | string replace -r '^' -- "$before"
    end
end

function __xbench_complete
    set -l list (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $list[1])
    set -l help ($program --help --wide 2>/dev/null)
    set -l commands (string replace -rf '^  ([a-z]+)  .*' '$1' -- $help)
    set -l command
    for word in $list[2..]
        if test -z "$command"; and contains -- $word $commands
            set command $word
        end
    end
    set -l own ($program $command --help --wide 2>/dev/null)

    set -l option
    set -l before
    if set before (string match -r '^--[a-z0-9-]+=' -- $current)
        set option (string trim -rc = -- $before)
    else if string match -q -- '-*' $list[-1]
        set option $list[-1]
    end
    set -l kind
    for line in $own
        set -l part (string match -r '^ +(|-., )(--[a-z0-9-]+)[= ]?([^ ]*)' -- $line)
        if test -n "$option"; and contains -- $option (string replace ', ' '' -- $part[2]) $part[3]
            set kind $part[4]
        end
    end
    if test -z "$kind"; and string match -q -- '-*' $current
        string replace -rf '^ +(?:-., )?(--[a-z0-9-]+)(?:[= ][^ ]+)? *(.*)' '$1\t$2' -- $own
        return
    end
    if test -z "$kind" # not an option's value: use the line of usage
        set -l prefix xbench $command
        set kind (string replace -rf "^Usage: $prefix (.*)" '$1' -- $own)[1]
        set kind (string replace '[OPTION...]' '' -- $kind | string replace -a ' ' '' | string replace -r '^\[(.*)\]$' '$1')
        if test -z "$command"; and test (count $list) -eq 1
            printf '%s\n' $commands
        end
    end
    __xbench_values $program "$kind" "$before"
end

complete -c xbench -f -a '(__xbench_complete)'
