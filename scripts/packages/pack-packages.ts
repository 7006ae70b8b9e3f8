// scripts/packages/pack-packages.ts: makes the published archives, each from a folder that contains nothing
// else. A package that breaks a rule of content-rules.ts leaves no archive.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { buildDashboard } from '../build-dashboard.ts'
import { buildService } from '../build-service.ts'
import { contentMistakes, type PackedContents } from './content-rules.ts'
import { commandManifest, libraryManifest, type Manifest, type PackageFolder } from './published-manifest.ts'
import { thirdPartyLicenses } from './third-party-licenses.ts'

const root = join(import.meta.dirname, '../..')

/** In the order in which they may be published: each after its dependencies. */
export const packageFolders: readonly PackageFolder[] = ['contract', 'client', 'worker', 'cli']

export interface PackedPackage extends PackedContents {
  readonly version: string
  /** The path of the archive. */
  readonly archive: string
}

export class PackError extends Error {}

export async function packPackages(
  destination: string,
  folders: readonly PackageFolder[] = packageFolders,
): Promise<readonly PackedPackage[]> {
  mkdirSync(destination, { recursive: true })
  if (folders.includes('cli')) {
    buildDashboard()
    await buildService()
  }
  return folders.map((folder) => {
    const staging = mkdtempSync(join(tmpdir(), `pulseward-${folder}-`))
    try {
      stage(folder, staging)
      return packed(staging, resolve(destination))
    } finally {
      rmSync(staging, { recursive: true, force: true })
    }
  })
}

/** The client, the worker library and what they need, as paths that `npm install` takes. */
export async function packLibraries(
  destination: string,
  folders: readonly Exclude<PackageFolder, 'cli'>[],
): Promise<readonly string[]> {
  return (await packPackages(destination, folders)).map(({ archive }) => archive)
}

function stage(folder: PackageFolder, staging: string): void {
  const manifest = folder === 'cli' ? stageCommand(staging) : stageLibrary(folder, staging)
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(staging, 'LICENSE'))
  copyFileSync(join(root, 'packages', folder, 'README.md'), join(staging, 'README.md'))
}

function stageLibrary(folder: PackageFolder, staging: string): Manifest {
  const project = join(root, 'packages', folder, 'tsconfig.build.json')
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['--project', project, '--outDir', join(staging, 'dist')])
  return libraryManifest(root, folder)
}

function stageCommand(staging: string): Manifest {
  const copy = (from: string, to: string) =>
    cpSync(join(root, 'packages', from), join(staging, to), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts') && !['.vite', 'built.json'].includes(basename(path)),
    })
  copy('cli/bin', 'bin')
  copy('cli/dist', 'dist')
  copy('dashboard/dist', 'dist/dashboard')
  writeFileSync(join(staging, 'THIRD-PARTY-LICENSES.md'), thirdPartyLicenses(root))
  return commandManifest(root)
}

interface NpmPacked {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

function packed(staging: string, destination: string): PackedPackage {
  const words = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', destination]
  const [report]: NpmPacked[] = JSON.parse(execFileSync('npm', words, { cwd: staging, encoding: 'utf8' }))
  const { name, version, filename, size, unpackedSize, files } = report!
  const contents = {
    name,
    files: files.map((file) => ({ path: file.path, bytes: file.size })),
    packedBytes: size,
    unpackedBytes: unpackedSize,
  }
  const archive = join(destination, filename)
  const mistakes = contentMistakes(contents)
  if (mistakes.length === 0) return { ...contents, version, archive }
  rmSync(archive)
  throw new PackError(mistakes.join('\n'))
}
