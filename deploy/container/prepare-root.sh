#!/bin/sh
# deploy/container/prepare-root.sh: turns a minimal Debian with the folder of deploy/assemble.sh at
# /usr/lib/pulseward into the root of the container. Runs inside it: the Dockerfile calls it, and so does the
# test without a container engine.
set -eu

# The one library that Node.js needs and a minimal Debian does not have. Certificates and time zones are in Node.js.
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends libatomic1 >/dev/null
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt /var/log/dpkg.log

ln -s ../lib/pulseward/bin/pulseward /usr/bin/pulseward

# The number is the one of the Helm chart; the name is for people who look into the container.
groupadd --gid 10001 pulseward
useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin pulseward
install -d -o 10001 -g 10001 -m 700 /data
