// scripts/check/boundaries.ts: checks every source file against boundary-rules.ts: which package, room and
// driver may import which, what is reserved or pure, no cycles, and no decisions by the name of an edition.
import {
  editionDecision,
  editionReaders,
  packageImports,
  reservedElsewhere,
  reservedModules,
  typesOnly,
} from './boundary-rules.ts'
import { findWords } from './find-words.ts'
import { findImportCycles } from './import-cycles.ts'
import type { Part } from './part.ts'
import { isTestSupport, packageOf, roomOf, roomRuleOf, unitOf } from './places.ts'
import { purityProblems } from './purity.ts'
import { type Import, readSourceModules, type SourceModule } from './source-modules.ts'

/** An import that resolves to one of our own files. */
type OwnImport = Import & { readonly file: string }

export const boundaries: Part = {
  name: 'boundaries',
  async run(root) {
    const modules = readSourceModules(root)
    const byPath = new Map(modules.map((module) => [module.path, module]))
    const cycles = findImportCycles(modules).map((cycle) => `import cycle: ${cycle.join(' → ')}`)
    return [...modules.flatMap((module) => problemsOf(module, byPath)), ...cycles]
  },
}

function problemsOf(module: SourceModule, byPath: ReadonlyMap<string, SourceModule>): string[] {
  const isBound = module.path.startsWith('packages/') && !isFree(module.path)
  const imports = module.imports.flatMap((imported) => {
    const reason =
      isMissing(imported) ??
      (isBound ? refusal(module.path, imported) : null) ??
      foreignPathRule(module.path, imported)
    return reason === null ? [] : [`${module.path}:${imported.line} imports ${imported.specifier}, ${reason}`]
  })
  if (!isBound) return imports
  return [...imports, ...unnamedPlace(module), ...purityProblems(module, byPath), ...editionProblems(module)]
}

/** Tests and test support may import whatever they need, but other packages only by their name. */
function isFree(path: string): boolean {
  return path.endsWith('.test.ts') || isTestSupport(path)
}

function isMissing({ file }: Import): string | null {
  return file === 'missing' ? 'which does not exist or is not exported' : null
}

function refusal(path: string, imported: Import): string | null {
  if (imported.file === null) return reservedRule(path, imported.specifier) ?? typesRule(path, imported)
  const own = imported as OwnImport
  // The package.json of a package is data, not a room.
  if (own.file === `packages/${packageOf(path)}/package.json`) return null
  return supportRule(path, own) ?? packageRule(path, own) ?? driverRule(path, own) ?? roomRule(path, own)
}

/**
 * Applies to packages with their tests, and to everything that uses the testing package. Scripts and
 * benchmarks may import files of other packages.
 */
function foreignPathRule(path: string, { file, specifier }: Import): string | null {
  const [from, to] = [packageOf(path), file === null ? null : packageOf(file)]
  if (!specifier.startsWith('.') || to === null || from === to) return null
  return from !== null || to === 'testing' ? 'but other packages are imported by their name' : null
}

function reservedRule(path: string, specifier: string): string | null {
  for (const [name, room] of Object.entries(reservedModules)) {
    const isReserved = specifier === name || specifier.startsWith(`${name}/`)
    const mayImport = roomOf(path) === room || reservedElsewhere[name]?.includes(path) === true
    if (isReserved && !mayImport) return `but only ${room} may import ${name}`
  }
  return null
}

function typesRule(path: string, { specifier, kind }: Import): string | null {
  const instead = Object.hasOwn(typesOnly, specifier) ? typesOnly[specifier] : undefined
  if (instead === undefined || kind === 'type' || packageOf(path) !== 'server') return null
  return `but the server takes only types of it; ${instead} has the rest`
}

function supportRule(path: string, { file }: OwnImport): string | null {
  if (!isTestSupport(file) || packageOf(path) === 'testing') return null
  return 'but only tests may import test support (*.fixture.ts, and the peers.ts of a driver)'
}

function packageRule(path: string, { file }: OwnImport): string | null {
  const [from, to] = [packageOf(path)!, packageOf(file)]
  if (from === to) return null
  if (to === null) return 'but a package may not import files outside of packages/'
  const allowed = packageImports[from] ?? []
  return allowed.includes(to) ? null : `but package ${from} may import only ${list(allowed)}`
}

function driverRule(path: string, { file }: OwnImport): string | null {
  const room = roomOf(path)
  const around = roomRuleOf(path)?.aroundDrivers
  if (!around || around.includes(unitOf(path)) || roomOf(file) === 'platform') return null
  const isItsOwn = roomOf(file) === room && ['driver', unitOf(path)].includes(unitOf(file))
  return isItsOwn
    ? null
    : `but a driver may import only ${room}/driver.ts, ${room}/driver/, its own folder and platform`
}

function roomRule(path: string, { file }: OwnImport): string | null {
  const room = roomOf(path)
  const target = roomOf(file)
  const allowed = roomRuleOf(path)?.imports
  if (room === 'platform') return target === room ? null : 'but platform imports nothing of ours'
  if (target === null || target === room || target === 'platform') return null
  if (allowed === undefined || allowed === 'everything' || allowed.includes(target)) return null
  return `but ${room} may import only ${list(['platform', ...allowed])}`
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'nothing of ours'
}

function unnamedPlace({ path }: SourceModule): string[] {
  const isNamed =
    Object.hasOwn(packageImports, packageOf(path)!) && (roomOf(path) === null || roomRuleOf(path))
  return isNamed ? [] : [`${path} stands in a place that scripts/check/boundary-rules.ts does not name`]
}

function editionProblems({ path, code }: SourceModule): string[] {
  if (editionReaders.some((place) => path.startsWith(place))) return []
  return findWords(code, [editionDecision]).map(
    ({ line, text }) => `${path}:${line} decides by the edition (${text}), but only editions/ may`,
  )
}
