// scripts/clean-root/debian-root.ts: a minimal Debian as an archive, made by mmdebstrap from Debian's
// packages and kept in node_modules/.cache. As root on Debian it installs missing programs and prints that it
// does; only explicit commands need a root (npm run test:packages, npm run tool -- sizes).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '@pulseward/testing/servers'

export interface RootKind {
  readonly name: string
  /** In addition to the smallest Debian with apt. */
  readonly packages: readonly string[]
  readonly hasDocuments: boolean
}

export type DebianRoot = { readonly archive: string } | { readonly missing: string }

const suite = 'trixie'
const mirror = `deb http://deb.debian.org/debian ${suite} main`
const cache = join(import.meta.dirname, '../../node_modules/.cache/pulseward-roots')

/** Left out, as in Debian's images whose names end in -slim. */
const withoutDocuments = ['doc', 'man', 'info', 'locale', 'lintian'].map(
  (folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`,
)

const needed = {
  mmdebstrap: 'mmdebstrap',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  ip: 'iproute2',
  'systemd-nspawn': 'systemd-container',
  'dpkg-deb': 'dpkg',
  'x86_64-linux-gnu-strip': 'binutils',
}

/** Makes the archive if it is missing, which takes half a minute; or returns why it is not available. */
export function debianRoot(kind: RootKind): DebianRoot {
  if (process.platform !== 'linux') return { missing: 'only Linux can run programs in another root' }
  if (process.arch !== 'x64') return { missing: `the root is made for amd64, and this is ${process.arch}` }
  if (process.getuid?.() !== 0) return { missing: 'only root can mount a root for a test' }
  const missing = missingPrograms()
  if (missing.length > 0) installPackages([...new Set(missing.map((name) => needed[name]))])
  const [still] = missingPrograms()
  if (still !== undefined) return { missing: `${still} is missing: apt-get install ${needed[still]}` }
  const refused = spawnSync('unshare', ['--mount', '--net', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {
    encoding: 'utf8',
  })
  if (refused.status !== 0) return { missing: `nothing can be mounted here: ${lastLine(refused.stderr)}` }
  return made(kind)
}

function made({ name, packages, hasDocuments }: RootKind): DebianRoot {
  const archive = join(cache, `${suite}-${name}.tar`)
  if (existsSync(archive)) return { archive }
  mkdirSync(cache, { recursive: true })
  // Renamed into place when complete: another run may look at the same moment.
  const partial = `${archive}.${process.pid}.tar`
  const words = [
    '--variant=minbase',
    '--mode=root',
    '--quiet',
    ...(packages.length > 0 ? [`--include=${packages.join()}`] : []),
    ...(hasDocuments ? [] : withoutDocuments),
    suite,
    partial,
    mirror,
  ]
  const { status, stderr } = spawnSync('mmdebstrap', words, { encoding: 'utf8' })
  if (status !== 0) {
    rmSync(partial, { force: true })
    return { missing: `mmdebstrap cannot make a Debian here: ${lastLine(stderr)}` }
  }
  renameSync(partial, archive)
  return { archive }
}

function missingPrograms(): (keyof typeof needed)[] {
  const names = Object.keys(needed) as (keyof typeof needed)[]
  return names.filter((name) => findProgram(name) === null)
}

/** The caller reports what is still missing afterwards. */
function installPackages(packages: readonly string[]): void {
  process.stderr.write(`Installing ${packages.join(' ')} by apt-get…\n`)
  // Another test may be installing the same.
  const words = ['-qq', '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', [...words, ...packages], { env, stdio: 'ignore' })
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!
}
