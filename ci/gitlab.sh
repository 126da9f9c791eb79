#!/usr/bin/env bash
# The whole of a GitLab job: check, film what changed, summary; ends as the check did.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
export FAULTREEL_PROGRAM=$here/../dist/src/cli/bin.js FAULTREEL_OUT=${FAULTREEL_OUT:-out/faultreel}
if [ "${CI_NODE_TOTAL:-1}" -gt 1 ]; then export FAULTREEL_SHARD=$CI_NODE_INDEX/$CI_NODE_TOTAL; fi

bash "$here/check.sh"
node "$here/film.mjs"
node "$here/summary.mjs"
cat -- "$FAULTREEL_OUT/summary.md"
FAULTREEL_CODE=$(cat -- "$FAULTREEL_OUT/exit-code") exec bash "$here/finish.sh"
