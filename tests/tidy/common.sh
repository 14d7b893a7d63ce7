# Shared by the rules: which files there are, and how a breach is told.
set -euo pipefail

breaches=0

breach() {
  echo "$*"
  breaches=$((breaches + 1))
}

finish() {
  if ((breaches > 0)); then
    echo "$breaches breaches"
    exit 1
  fi
  exit 0
}

# find with what nobody wrote by hand left out: builds, git, the licence, pictures, what was measured.
written_files() {
  find "$1" \( -name .git -o -name build -o -name 'build-*' -o -path '*/benchmarks/results' \) -prune -o \
    -type f ! -name LICENSE ! -name '*.svg' ! -name '*.png' "${@:2}" -print | sort
}
