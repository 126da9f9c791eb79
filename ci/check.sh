#!/usr/bin/env bash
# Checks scenarios and keeps what was found in $FAULTREEL_OUT: check.json, summary.md, junit.xml, changed.json, check.log, and the exit code, which is that of the job at its end.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
out=${FAULTREEL_OUT:-out/faultreel}
mkdir -p -- "$out"
rm -rf -- "$out"/{check.json,summary.md,junit.xml,changed.json,films.json,check.log,exit-code,films}

# Of a pull or merge request, where it left the branch that it goes into; all is checked where this clone cannot tell.
since=${FAULTREEL_CHANGED_SINCE:-}
if [ -z "$since" ]; then
  since=${CI_MERGE_REQUEST_DIFF_BASE_SHA:-${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}}
  if [ -n "$since" ] && ! git merge-base "$since" HEAD >/dev/null 2>&1; then
    echo "faultreel: all scenarios are checked: this clone does not reach back to $since (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0)" >&2
    since=
  fi
fi
[ "$since" != all ] || since=

options=(--json --junit "$out/junit.xml" --summary "$out/summary.md")
[ -z "${FAULTREEL_BASELINE:-}" ] || options+=(--baseline "$FAULTREEL_BASELINE")
[ -z "${FAULTREEL_SEEDS:-}" ] || options+=(--seeds "$FAULTREEL_SEEDS")
[ -z "${FAULTREEL_SHARD:-}" ] || options+=(--shard "$FAULTREEL_SHARD")
[ -z "$since" ] || options+=(--changed-since "$since")
paths=()
while IFS= read -r line; do [ -z "$line" ] || paths+=("$line"); done <<<"${FAULTREEL_PATHS:-}"

set +e
node "$FAULTREEL_PROGRAM" check "${options[@]}" -- ${paths[@]+"${paths[@]}"} 2>&1 >"$out/check.json" | tee "$out/check.log" >&2
code=${PIPESTATUS[0]}
set -e
echo "$code" >"$out/exit-code"
node "$here/changed.mjs" "$out"

out=$(cd -- "$out" && pwd)
artifact=faultreel${FAULTREEL_SHARD:+-$FAULTREEL_SHARD}
{
  echo "passed=$([ "$code" -eq 0 ] && echo true || echo false)"
  echo "changed=$(node -p 'JSON.stringify(JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).map(({ file }) => file))' "$out/changed.json")"
  echo "code=$code"
  echo "out=$out"
  echo "summary=$out/summary.md"
  echo "artifact=${artifact//\//-of-}"
} >>"${GITHUB_OUTPUT:-/dev/null}"
