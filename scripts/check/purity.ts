// scripts/check/purity.ts: the domain does no I/O and gets time, ids and randomness as parameters. Follows
// everything that a pure file loads, because a clock behind a helper is still a clock; types are not loaded.
import { impureWords, pureBuiltins } from './boundary-rules.ts'
import { findWords } from './find-words.ts'
import { roomOf, roomRuleOf } from './places.ts'
import type { SourceModule } from './source-modules.ts'

export function purityProblems(module: SourceModule, byPath: ReadonlyMap<string, SourceModule>): string[] {
  if (!roomRuleOf(module.path)?.pure) return []
  const problems: string[] = []
  const seen = new Set<string>()
  const visit = (loaded: SourceModule) => {
    seen.add(loaded.path)
    for (const { line, does } of impuritiesOf(loaded)) {
      const place = `${loaded.path}:${line}`
      const deed = loaded === module ? `${place} ${does}` : `${module.path} loads ${place}, which ${does}`
      problems.push(`${deed}, but ${roomOf(module.path)} is pure`)
    }
    for (const imported of loaded.imports) {
      const next = byPath.get(imported.file ?? '')
      if (next && imported.kind === 'value' && !seen.has(next.path)) visit(next)
    }
  }
  visit(module)
  return problems
}

function impuritiesOf(module: SourceModule): { line: number; does: string }[] {
  const imports = module.imports
    .filter(({ kind, specifier }) => kind !== 'type' && isImpureBuiltin(specifier))
    .map(({ line, specifier }) => ({ line, does: `imports ${specifier}` }))
  const words = findWords(module.code, impureWords).map(({ line, text }) => ({ line, does: `uses ${text}` }))
  return [...imports, ...words]
}

function isImpureBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') && !pureBuiltins.includes(specifier)
}
