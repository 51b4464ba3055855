#!/bin/sh
# link_module.sh CXX OBJECT OUTPUT SHARED [WATCH]: links a module. The kernels' `extern __shared__` arrays are all the same memory, under one
# name in SHARED (extern_shared.cpp). WATCH: watch.o, for a module that is watched. A shell does this in a fraction of CMake's start.
set -eu
cxx=$1 object=$2 output=$3 shared=$4
shift 4
symbols=$(readelf -sW "$object")
missing=$(printf '%s\n' "$symbols" | sed -n 's/.* TLS  *GLOBAL  *[A-Z]*  *UND  *\([^ ]*\).*/\1/p')
if [ -n "$missing" ]; then
  folder=$(dirname "$shared")
  set -- "$@" -fPIC -fvisibility=hidden "-I$folder/../runtime" "$shared"
  for name in $missing; do
    case $name in # what would initialize it, by the C++ ABI
    _Z*) initializer=_ZTH${name#_Z} ;;
    *) initializer=_ZTH${#name}$name ;;
    esac
    set -- "$@" "-Wl,--defsym=$name=xb_cpu_dynamic_shared" "-Wl,--defsym=$initializer=xb_cpu_no_initializer"
  done
fi
"$cxx" -shared -Wl,-Bsymbolic -Wl,-z,defs "$object" "$@" -o "$output" -lm
rm "$object"
