// scripts/packages/published-manifest.ts: the package.json of a package as it is published. Shared fields
// come from the package.json of the repository, the rest from the package's own. Those in the checkout are
// private, so that npm cannot publish sources by mistake.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type PackageFolder = 'contract' | 'client' | 'worker' | 'cli'

type Versions = Readonly<Record<string, string>>

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly private?: boolean
  readonly license?: string
  readonly homepage?: string
  readonly bugs?: string
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string }
  readonly type?: string
  readonly sideEffects?: boolean
  readonly bin?: Versions
  readonly exports?: Readonly<Record<string, unknown>>
  readonly files?: readonly string[]
  readonly engines?: Versions
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly publishConfig?: { readonly access: string; readonly provenance: boolean }
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The name of the archive as npm makes it. */
export function archiveName({ name, version }: Pick<Manifest, 'name' | 'version'>): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

/** A library: compiled, with a declaration file for each file, since no runtime strips types inside node_modules. */
export function libraryManifest(root: string, folder: PackageFolder): Manifest {
  const own = readManifest(join(root, 'packages', folder))
  const exports = Object.entries(own.exports ?? {}).map(([door, source]) => [door, compiled(String(source))])
  return {
    ...shared(root, folder, own),
    sideEffects: false,
    exports: Object.fromEntries(exports),
    files: ['dist'],
    ...(own.dependencies && { dependencies: own.dependencies }),
  }
}

/** The command: its bundles contain everything that it always needs; what an installation may leave out is optional. */
export function commandManifest(root: string): Manifest {
  const own = readManifest(join(root, 'packages/cli'))
  const { optionalDependencies: drivers } = readManifest(join(root, 'packages/server'))
  return {
    ...shared(root, 'cli', own),
    bin: own.bin!,
    files: ['bin', 'dist', 'THIRD-PARTY-LICENSES.md'],
    optionalDependencies: { ...own.optionalDependencies, ...drivers, ...runtimes(root) },
  }
}

function shared(root: string, folder: PackageFolder, own: Manifest): Manifest {
  const { homepage, bugs, repository, engines } = readManifest(root)
  return {
    name: own.name,
    version: own.version,
    description: own.description!,
    license: own.license!,
    homepage: homepage!,
    bugs: bugs!,
    repository: { ...repository!, directory: `packages/${folder}` },
    type: own.type!,
    engines: own.engines ?? engines!,
    publishConfig: { access: 'public', provenance: true },
  }
}

function compiled(source: string): object {
  const path = source.replace('./src/', './dist/').replace(/\.ts$/, '')
  return { types: `${path}.d.ts`, default: `${path}.js` }
}

/**
 * The runtimes of the repository; on Linux, those that do not need libatomic. npm links the program of a
 * runtime as `node` into the user's project, before the user's own: one that does not start would break `npx`
 * itself, before the launcher could say why.
 */
function runtimes(root: string): Versions {
  const newest = readManifest(root).optionalDependencies
  const undemanding = readManifest(join(root, 'scripts/fallback-runtime')).optionalDependencies
  return { ...newest, ...undemanding }
}
