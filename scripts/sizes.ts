// scripts/sizes.ts: `npm run tool -- sizes` builds everything that can be installed, on amd64, and prints the tables of
// docs/install.md. Needs the npm registry and, for the container, root on Debian (scripts/clean-root/debian-root.ts).
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import { debianRoot } from './clean-root/debian-root.ts'
import { runCommand } from './command-line/command.ts'
import { bytesOf, containerSizes, makeContainerRoot, slimDebian } from './container/container-root.ts'
import { buildDebianPackage } from './debian/build-package.ts'
import { packPackages } from './packages/pack-packages.ts'
import { readManifest } from './packages/published-manifest.ts'

const root = join(import.meta.dirname, '..')

function megabytes(bytes: number): string {
  const value = bytes / 1e6
  return `${value.toFixed(value < 10 ? 1 : 0)} MB`
}

function installedBytes(archive: string, ...flags: string[]): number {
  using folder = temporaryFolder({ 'package.json': '{}' })
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', '--prefix', folder.root, ...quiet, ...flags, archive], { cwd: folder.root })
  return bytesOf(folder.path('node_modules'))
}

async function printSizes(): Promise<void> {
  const debian = debianRoot(slimDebian)
  if ('missing' in debian) throw new Error(`The container cannot be measured: ${debian.missing}.`)
  using work = temporaryFolder()
  const [packed] = await packPackages(work.path('packages'), ['cli'])
  const { archive, packedBytes } = packed!
  using container = makeContainerRoot(archive, debian.archive)
  const sizes = containerSizes(container)
  const assembled = container.path('usr/lib/pulseward')
  const { version } = readManifest(root)
  const made = buildDebianPackage({ assembled, version, architecture: 'amd64', destination: work.root })
  const { runtime, pulseward, checkPackages, whole } = sizes
  const lean = megabytes(installedBytes(archive, '--omit=optional'))
  process.stdout.write(`| What | To download | Installed |
| --- | ---: | ---: |
| npm package, with what is optional | | ${megabytes(installedBytes(archive))} |
| npm package, \`--omit=optional\`, on a Node.js of yours | ${megabytes(packedBytes)} | ${lean} |
| Debian package | ${megabytes(statSync(made).size)} | ${megabytes(runtime + pulseward + checkPackages)} |
| container, with its Debian | | ${megabytes(whole)} |

| In the container | Size | In the Debian package |
| --- | ---: | --- |
| Debian 13, minimal, with libatomic | ${megabytes(sizes.debian)} | the system has it |
| Node.js 26, without debug symbols | ${megabytes(runtime)} | the same |
| Pulseward: launcher, bundles, dashboard | ${megabytes(pulseward)} | the same |
| packages for the checks mysql, postgres, mongo, ssh and websocket | ${megabytes(checkPackages)} | the same |
`)
}

const about = 'Makes the npm package, the Debian package and the container, and prints how large each is.'
await runCommand({ call: 'npm run tool -- sizes', about, flags: {} }, printSizes)
