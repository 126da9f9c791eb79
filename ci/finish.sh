#!/usr/bin/env bash
# The job ends as the check did.
set -euo pipefail
exit "${FAULTREEL_CODE:-1}"
