// scripts/mutate/report.ts: the report of a mutation run: the score, how many mutants each judge noticed, and
// every survivor.
import { type JudgeName, judgeNames, type Notice } from './judges.ts'
import type { Mutant } from './mutants.ts'

export interface Tried {
  readonly mutant: Mutant
  /** Null for a survivor. */
  readonly notice: Notice | null
  readonly seconds: number
}

interface Summary {
  readonly tried: readonly Tried[]
  readonly explained: number
  readonly chosen: number
}

export function printSummary({ tried, explained, chosen }: Summary): void {
  const survivors = tried
    .filter(({ notice }) => notice === null)
    .map(({ mutant }) => mutant)
    .sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
  const killed = tried.length - survivors.length
  const notTried = chosen - explained - tried.length
  print('')
  for (const { file, line, lineText, change } of survivors)
    print(`SURVIVED  ${file}:${line}\n          ${lineText}\n          ${change}`)
  print('')
  const share = tried.length === 0 ? 0 : (100 * killed) / tried.length
  print(`score      ${share.toFixed(1)} % of ${tried.length} tried`)
  print(`killed     ${killed} (${judgeNames.map((name) => `${countOf(tried, name)} by ${name}`).join(', ')})`)
  print(`survived   ${survivors.length}`)
  print(`explained  ${explained}`)
  if (notTried > 0) print(`not tried  ${notTried}, because the time was up`)
  print(`seconds    ${middleOf(tried.map(({ seconds }) => seconds)).toFixed(1)} for a mutant (median)`)
}

export function printTried({ mutant, notice, seconds }: Tried): void {
  const outcome = notice === null ? 'SURVIVED' : `killed by ${notice.judge}`
  const { file, line, change } = mutant
  print(`${outcome.padEnd(21)} ${seconds.toFixed(0).padStart(4)} s  ${file}:${line}  ${change}`)
  if (notice !== null) print(`${' '.repeat(29)}${notice.words}`)
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function countOf(tried: readonly Tried[], name: JudgeName): number {
  return tried.filter(({ notice }) => notice?.judge === name).length
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
