// scripts/check/import-cycles.ts: files that import each other in a cycle, types included: to understand one
// of them a reader has to read them all. Starting a thread is not an import; it loads nothing here.
import type { SourceModule } from './source-modules.ts'

/** One cycle for every import that closes one; each begins and ends with the same file. */
export function findImportCycles(modules: readonly SourceModule[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const done = new Set<string>()
  const trail: string[] = []
  const cycles: string[][] = []

  const walk = (path: string) => {
    if (done.has(path)) return
    const start = trail.indexOf(path)
    if (start >= 0) {
      cycles.push([...trail.slice(start), path])
      return
    }
    trail.push(path)
    for (const imported of byPath.get(path)?.imports ?? []) {
      if (imported.file !== null && imported.kind !== 'thread') walk(imported.file)
    }
    trail.pop()
    done.add(path)
  }
  for (const module of modules) walk(module.path)
  return cycles
}
