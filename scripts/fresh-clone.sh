#!/usr/bin/env bash
# What a newcomer does: clones the last commit into an empty folder and runs `npm start` and `npm test`, with no Node but
# the one given.
#
#   scripts/fresh-clone.sh [--start-only] [path to a node]
set -euo pipefail

commands=(start test)
if [ "${1:-}" = --start-only ]; then
  commands=(start)
  shift
fi
node=$(command -v "${1:-node}")
# Inside another fresh clone, the npm on the path is the wrapper made below; npm itself says where it really is.
npm=${npm_execpath:-}
case "$npm" in
  *npm-cli.js) ;;
  *) npm=$(realpath "$(command -v npm)") ;;
esac
repository=$(cd "$(dirname "$0")/.." && pwd)

folder=$(mktemp -d)
service=
trap 'if [ -n "$service" ]; then kill -TERM -- "-$service" 2> /dev/null || true; fi; rm -rf "$folder"' EXIT
git clone --quiet "$repository" "$folder/clone"
mkdir "$folder/bin"
ln -s "$node" "$folder/bin/node"
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$folder/bin/node" "$npm" > "$folder/bin/npm"
chmod +x "$folder/bin/npm"

cd "$folder/clone"
# What npm tells the scripts it runs, and the tier of the run that called, are not for the clone.
for name in $(compgen -e | grep -E '^(npm_(lifecycle|package|command|execpath|node)|NODE_OPTIONS|DAYBOOK_|INIT_CWD)' || true); do unset "$name"; done
export PATH="$folder/bin:$PATH"
echo "fresh clone of $(git rev-parse --short HEAD) with Node $(node --version)"

# Starts the service, says something to it, stops it; then again, to see that it is all there.
start() {
  # Before it begins: the one in the background empties it when it gets to it, and the link of the last time is still there.
  : > "$folder/out"
  # The output is a file, so the second start prints the link only on request.
  setsid npm start -- --port 0 --show-link > "$folder/out" 2> "$folder/err" &
  service=$!
  for _ in $(seq 600); do
    if grep -q '#key=' "$folder/out" || ! kill -0 "$service" 2> /dev/null; then break; fi
    if grep -q 'Serving ' "$folder/out"; then sleep 2; break; fi
    sleep 1
  done
  if ! grep -q '#key=' "$folder/out"; then
    echo 'The service printed no link with a key:'
    cat "$folder/out" "$folder/err"
    exit 1
  fi
  node --input-type=module - "$(grep -o 'http://[^ ]*#key=.*' "$folder/out" | tail -1)" "$1" <<'EOF'
const [link, wanted] = process.argv.slice(2)
const [url, key] = link.split('/#key=')
const messages = `${url}/v1/scopes/acme%2Fada/sessions/first/messages`
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const said = await fetch(messages, { method: 'POST', headers, body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }) })
const stored = await (await fetch(messages, { headers })).json()
if (!said.ok || stored.messages.length !== Number(wanted)) throw new Error(`${said.status}: ${JSON.stringify(stored)}, expected ${wanted}`)
console.log(`${stored.messages.length} messages are there`)
EOF
  kill -TERM -- "-$service"
  wait "$service" || true
  service=
}

for command in "${commands[@]}"; do
  if [ "$command" = start ]; then
    start 1
    start 2
  else
    npm "$command"
  fi
done
# The set-up must leave no trace that git sees.
test -z "$(git status --porcelain)"
