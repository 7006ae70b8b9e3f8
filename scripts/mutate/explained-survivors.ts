// scripts/mutate/explained-survivors.ts: mutants that no test can notice, each with the reason, in
// explained-survivors.json. They are identified by the text of their line, so that they stay explained when lines move.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'

export interface Explanation {
  readonly file: string
  readonly lineText: string
  readonly change: string
  readonly why: string
}

export function readExplanations(): readonly Explanation[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'explained-survivors.json'), 'utf8'))
}

export function isExplained(mutant: Mutant, explanations: readonly Explanation[]): boolean {
  return explanations.some((explanation) => isAbout(explanation, mutant))
}

/** Explanations whose code is gone. */
export function staleExplanations(
  explanations: readonly Explanation[],
  mutants: readonly Mutant[],
): readonly Explanation[] {
  return explanations.filter((explanation) => !mutants.some((mutant) => isAbout(explanation, mutant)))
}

function isAbout({ file, lineText, change }: Explanation, mutant: Mutant): boolean {
  return file === mutant.file && lineText === mutant.lineText && change === mutant.change
}
