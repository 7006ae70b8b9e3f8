// scripts/debian/build-package.ts: makes the Debian package from the folder of deploy/assemble.sh and the
// files of deploy/debian, with dpkg-deb alone.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '@pulseward/testing'
import { readManifest } from '../packages/published-manifest.ts'

export type Architecture = 'amd64' | 'arm64'

export interface DebianPackage {
  /** Made by deploy/assemble.sh for the architecture. */
  readonly assembled: string
  readonly version: string
  readonly architecture: Architecture
  readonly destination: string
  /** Compressing takes twenty seconds; a package for a test does not need it. */
  readonly isCompressed?: boolean
}

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'deploy/debian')
const maintainer = 'The Pulseward maintainers <maintainers@users.noreply.github.com>'

/** Where the files of deploy/debian go. */
const installed: Readonly<Record<string, string>> = {
  'pulseward.service': 'usr/lib/systemd/system/pulseward.service',
  'pulseward-probe.service': 'usr/lib/systemd/system/pulseward-probe.service',
  'pulseward.sysusers': 'usr/lib/sysusers.d/pulseward.conf',
  'settings.yaml': 'etc/pulseward/settings.yaml',
  'fleet.yaml': 'etc/pulseward/fleet.yaml',
  copyright: 'usr/share/doc/pulseward/copyright',
  'lintian-overrides': 'usr/share/lintian/overrides/pulseward',
}

/** Writes the package and returns its path. */
export function buildDebianPackage(options: DebianPackage): string {
  const { assembled, architecture, destination, isCompressed = true } = options
  const version = debianVersion(options.version)
  using folder = temporaryFolder()
  const staged = folder.path('root')
  const put = (name: string, content: string | Uint8Array, mode = 0o644) => {
    const path = folder.write(join('root', name), content)
    chmodSync(path, mode)
  }
  mkdirSync(join(staged, 'usr/lib'), { recursive: true })
  cpSync(assembled, join(staged, 'usr/lib/pulseward'), { recursive: true, verbatimSymlinks: true })
  for (const [source, place] of Object.entries(installed)) put(place, readFileSync(join(sources, source)))
  put('usr/share/man/man1/pulseward.1.gz', gzipSync(readFileSync(join(sources, 'pulseward.1')), { level: 9 }))
  put('usr/share/doc/pulseward/changelog.gz', gzipSync(changelog(version), { level: 9 }))
  mkdirSync(join(staged, 'usr/bin'), { recursive: true })
  symlinkSync('../lib/pulseward/bin/pulseward', join(staged, 'usr/bin/pulseward'))

  const files = filesIn(staged)
  const conffiles = files.filter((file) => file.startsWith('etc/'))
  put('DEBIAN/conffiles', conffiles.map((file) => `/${file}\n`).join(''))
  put(
    'DEBIAN/md5sums',
    md5sums(
      staged,
      files.filter((file) => !conffiles.includes(file)),
    ),
  )
  put('DEBIAN/control', control(version, architecture, sizeOf(staged, files)))
  for (const script of ['postinst', 'prerm', 'postrm'])
    put(join('DEBIAN', script), readFileSync(join(sources, script)), 0o755)
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', staged])

  const archive = join(destination, `pulseward_${version}_${architecture}.deb`)
  mkdirSync(dirname(archive), { recursive: true })
  const compression = isCompressed ? ['-Zxz', '-z1'] : ['-Znone']
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', ...compression, staged, archive], {
    stdio: 'ignore',
  })
  return archive
}

/** A preview sorts before its release: npm writes it with a hyphen, Debian with a tilde. */
function debianVersion(version: string): string {
  return version.replace('-', '~')
}

function control(version: string, architecture: Architecture, bytes: number): string {
  const { homepage } = readManifest(root)
  return `Package: pulseward
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6, systemd-standalone-sysusers | systemd (>= 252)
Suggests: prometheus
Section: net
Priority: optional
Homepage: ${homepage}
Description: monitoring of many services that acts once and carefully
 Pulseward checks services by HTTP, TCP, ICMP, DNS, TLS and the protocols of
 databases and brokers, tries one recovery per incident within a budget, and
 notifies the right people. It has a dashboard, an API and a command line.
 .
 The package brings its own Node.js and needs no other.
`
}

function changelog(version: string): string {
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? Date.now() / 1_000)
  const date = new Date(seconds * 1_000).toUTCString().replace('GMT', '+0000')
  return `pulseward (${version}) stable; urgency=medium

  * CHANGELOG.md of the repository says what is new.

 -- ${maintainer}  ${date}
`
}

/** Paths relative to the folder, without links. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

function md5sums(folder: string, files: readonly string[]): string {
  const sum = (file: string) =>
    createHash('md5')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  return files.map((file) => `${sum(file)}  ${file}\n`).join('')
}

function sizeOf(folder: string, files: readonly string[]): number {
  return files.reduce((bytes, file) => bytes + statSync(join(folder, file)).size, 0)
}
