#!/usr/bin/env bash
# Finds the faultreel that this project pins, or installs one into a folder of its own; tells the later steps where it is and under what key its cache is kept.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

found=$(node "$here/pinned.mjs")
if [ -e "$found/package.json" ]; then
  package=$found
else
  folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/faultreel-tool.XXXXXX")
  echo "installing $found" >&2
  npm install --prefix "$folder" --no-save --no-audit --no-fund --omit=dev -- "$found" >&2
  package=$folder/node_modules/faultreel
fi

program=$package/dist/src/cli/bin.js
version=$(node "$program" --version)
cache=${FAULTREEL_CACHE:-${HOME:-/tmp}/.cache/faultreel}
[ "${cache#/}" != "$cache" ] || cache=$PWD/$cache
# A cache is never written twice under one key: other scenarios, another key.
scenarios=$( (git ls-files -s -- '*.yaml' '*.yml' '*.json' 2>/dev/null || true) | git hash-object --stdin || echo none)
restore=faultreel-${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}-$version-
shard=${FAULTREEL_SHARD:-}
echo "faultreel $version: $package" >&2
{
  echo "program=$program"
  echo "version=$version"
  echo "cache=$cache"
  echo "restore=$restore"
  echo "key=$restore${shard//\//-of-}-$scenarios"
} >>"${GITHUB_OUTPUT:-/dev/stdout}"
