// scripts/test-servers.ts: `npm run test:servers` runs the tests against real servers (*.servers.test.ts),
// which `npm test` skips, and the suites of test/postgres-suites.ts over PostgreSQL. It installs missing servers with
// apt-get if possible (as root, on Debian or a derivative), without starting any service; elsewhere it says what to
// install and ends. The tests start the servers themselves, each as an ordinary process.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { servers } from '@pulseward/testing/servers'
import { runCommand } from './command-line/command.ts'

const root = join(import.meta.dirname, '..')
/** Debian asks this program whether a newly installed service may be started; 101 says no. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d'

function missingPackages(): string[] {
  const missing = servers.filter((server) => server.find() === null)
  return [...new Set(missing.flatMap(({ debianPackages }) => debianPackages))]
}

function install(packages: readonly string[]): void {
  process.stderr.write(`Installing ${packages.join(' ')}…\n`)
  const ownsPolicy = !existsSync(SERVICE_POLICY)
  if (ownsPolicy) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', ...packages)
  } finally {
    if (ownsPolicy) rmSync(SERVICE_POLICY)
  }
}

/** Prints nothing unless it fails; the caller reports what is still missing. */
function aptGet(...words: string[]): void {
  const { status, stdout, stderr } = spawnSync('apt-get', ['-qq', ...words], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
  })
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`)
}

function testServers(_flags: unknown, words: readonly string[]): void {
  const missing = missingPackages()
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(missing)
  const stillMissing = missingPackages()
  if (stillMissing.length > 0) {
    process.stderr.write(`Install first: ${stillMissing.join(' ')} (Debian's names), for example as root.\n`)
    process.exitCode = 1
    return
  }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...words], {
    cwd: root,
    env: { ...process.env, PULSEWARD_REQUIRE_SERVERS: '1' },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}

const about =
  'Runs the tests against real servers in the files whose path has one of the words, in all files without one; as root on Debian it installs those that are missing.'
const words = { usage: '[WORD]…', least: 0, most: Number.POSITIVE_INFINITY }
await runCommand({ call: 'npm run test:servers --', about, flags: {}, words }, testServers)
