// scripts/mutate/targets.ts: the files whose mutants are worth a run: those that the service itself reaches.
// The same folders contain test support, and a defect in that says nothing about the service.
import { matchesGlob } from 'node:path'
import { readSourceModules } from '../check/source-modules.ts'

const doors = ['packages/server/src/index.ts']

export function mutableFiles(root: string, glob: string): string[] {
  const modules = new Map(readSourceModules(root).map((module) => [module.path, module]))
  const reached = new Set<string>()
  const ahead = [...doors]
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    const imports = modules.get(path)?.imports ?? []
    ahead.push(...imports.flatMap(({ file, kind }) => (file === null || kind === 'type' ? [] : [file])))
  }
  return [...reached].filter((path) => matchesGlob(path, glob)).sort()
}
