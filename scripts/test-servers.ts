// scripts/test-servers.ts: `npm run test:servers` runs checks and notifiers against real servers. What is missing is installed
// by apt-get where that is possible (root, Debian or a relative of it), without starting any service; elsewhere it
// says what to install and ends. The tests start the servers themselves, each as an ordinary process.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { servers } from '../packages/testing/src/servers/index.ts'

const root = join(import.meta.dirname, '..')
/** Debian asks this program whether a newly installed service may be started; 101 says no. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d'

function missingPackages(): string[] {
  const missing = servers.filter((server) => server.find() === null)
  return [...new Set(missing.flatMap(({ debianPackages }) => debianPackages))]
}

function run(command: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): number {
  const options = { cwd: root, env: { ...process.env, ...environment }, stdio: 'inherit' as const }
  return spawnSync(command, words, options).status ?? 1
}

function install(packages: readonly string[]): void {
  process.stderr.write(`Installing ${packages.join(' ')}…\n`)
  const ownsPolicy = !existsSync(SERVICE_POLICY)
  if (ownsPolicy) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const quietly = { DEBIAN_FRONTEND: 'noninteractive' }
    run('apt-get', ['update', '-qq'], quietly)
    run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], quietly)
  } finally {
    if (ownsPolicy) rmSync(SERVICE_POLICY)
  }
}

const missing = missingPackages()
if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(missing)

const stillMissing = missingPackages()
if (stillMissing.length > 0) {
  process.stderr.write(`Install first: ${stillMissing.join(' ')} (Debian's names), for example as root.\n`)
  process.exitCode = 1
} else {
  const rooms = ['checks', 'notify'].map((room) => `packages/server/src/${room}/servers`)
  const words = ['vitest', 'run', ...rooms]
  process.exitCode = run('npx', words, { PULSEWARD_REQUIRE_SERVERS: '1' })
}
