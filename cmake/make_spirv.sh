#!/bin/sh
# make_spirv.sh NAME=VALUE... -- COMPILER ARGUMENT...: makes a module with that command, and checks it. It fails, and deletes the module,
# if spirv-val refuses it, or if it declares a builtin twice, which only newer validators refuse. A shell does this for 680 modules in the
# time that CMake needs to start for each. The names:
#   module        the file that the command writes
#   modules       instead of it, several in this folder: the command, with their sources behind it (.hlsl for .spv), writes all of them. glslc
#                 needs longer to start than for most shaders. If it refuses one, each is compiled by itself
#   environment   of spirv-val: vulkan1.1
#   spirv_val     the program
#   allow_newer   ON: words that spirv-val does not know are accepted; they may be newer than it
#   target        what MODULE.d has to name, which Ninja reads: slangc writes the whole path, and a compiler that refuses a shader nothing
#   depfile       for several modules: a file for all of theirs
#   coherent      a command that checks the module, too: CheckCoherent.cmake
#   left_out      the compiler's name: a shader that it refuses, or a module that is refused, becomes a text with the reason, which the program
#                 shows where the shader would run (xb_blob_left_out)
modules='' allow_newer='' coherent='' left_out='' target=''
while [ "$1" != -- ]; do
  export "${1?}"
  shift
done
shift

refuse() {
  rm -f "$module"
  printf '%s: %s\n' "$module" "$1" >&2
  exit 1
}

validate() {
  said=$("$spirv_val" --target-env "$environment" "$module" 2>&1) && return
  printf '%s' "$said" | grep -Eq 'Invalid (opcode: |extended instruction |[a-zA-Z0-9 ]+ operand: )' || refuse "$said"
  if [ "$allow_newer" = ON ]; then
    echo "-- $module is not validated: spirv-val is too old: $said"
    return
  fi
  refuse "$said
This spirv-val ($("$spirv_val" --version | grep -o 'SPIRV-Tools [^ ]*')) is too old for this module: install a newer one (spirv-tools), or \
configure with -DXB_ALLOW_NEWER_SPIRV=ON to skip the validation of such modules"
}

# OpDecorate ID BuiltIn NUMBER, as the file has it: 0x00040047, the id, 11, the number.
declare_once() {
  od -An -v -tx4 "$module" | awk '{ for (i = 1; i <= NF; i++) {
      if (three == "00040047" && one == "0000000b" && seen[$i]++) twice = 1
      three = two; two = one; one = $i } } END { exit twice }' ||
    refuse 'declares a builtin twice, and Vulkan allows one declaration: glslang does so if two functions call WaveGetLaneCount or
WaveGetLaneIndex. Call them in the entry point only, and pass the values on'
}

make() {
  "$@" || return
  case $1 in *slangc) sed -i "1s|^[^:]*:|$target:|" "$module.d" ;; esac
  validate && declare_once && eval "$coherent"
}

# produce COMMAND...: one module, or the text in its place.
produce() {
  if [ -z "$left_out" ]; then
    make "$@"
  elif ! said=$(make "$@" 2>&1); then
    said=$(printf '%s\n' "$said" | sed '/^CMake Error/d; s/^ *//; /^$/d' | head -n 1)
    [ -z "$target" ] || [ -s "$module.d" ] || echo "$target:" >"$module.d"
    printf 'left out: %s refuses it: %s' "$left_out" "$said" >"$module"
    echo "-- $module is left out: $said"
  fi
}

if [ -z "$modules" ]; then
  produce "$@"
  exit
fi
sources=$(printf '%s\n' $modules | sed 's/\.spv$/.hlsl/')
if said=$("$@" $sources 2>&1); then
  [ -z "$said" ] || printf '%s\n' "$said"
  set -- true
fi
for module in $modules; do
  if [ "$1" = true ]; then
    produce true
  else
    produce "$@" "${module%.spv}.hlsl"
  fi || exit
done
{
  printf '%s:' "$target"
  for module in $modules; do
    read -r inputs <"$module.d"
    case $inputs in *': '*' '*) printf ' %s' "${inputs#*: * }" ;; esac # without the source of that name
  done
  echo
} >"$depfile"
