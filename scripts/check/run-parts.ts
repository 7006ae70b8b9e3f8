// scripts/check/run-parts.ts: runs parts of the check in parallel and prints one line for each with its time,
// then the findings. Hints are shortened unless only hints were asked for.
import type { Part } from './part.ts'

interface Result {
  readonly part: Part
  readonly findings: readonly string[]
}

const HINTS_AMONG_OTHERS = 5

/** True if there were no findings except hints. */
export async function runParts(
  parts: readonly Part[],
  root: string,
  print: (line: string) => void,
): Promise<boolean> {
  const results = await Promise.all(parts.map((part) => runPart(part, root, print)))
  for (const { part, findings } of results.filter(({ findings }) => findings.length > 0)) {
    const shown = part.isHint && parts.length > 1 ? findings.slice(0, HINTS_AMONG_OTHERS) : findings
    print(`\n${part.name}\n${shown.join('\n')}`)
    if (shown.length < findings.length)
      print(`and ${findings.length - shown.length} more: npm run check -- --only ${part.name}`)
  }
  return results.every(({ part, findings }) => part.isHint || findings.length === 0)
}

async function runPart(part: Part, root: string, print: (line: string) => void): Promise<Result> {
  const startedAt = performance.now()
  const findings = await part.run(root).catch((error) => [`the part itself failed: ${error.stack ?? error}`])
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const mark = findings.length === 0 ? '✓' : part.isHint ? '·' : '✗'
  print(`${mark} ${part.name.padEnd(10)} ${seconds.padStart(5)} s${countOf(part, findings.length)}`)
  return { part, findings }
}

function countOf({ isHint }: Part, count: number): string {
  if (count === 0) return ''
  if (isHint) return ` hints in ${count} ${count === 1 ? 'file' : 'files'}`
  return count === 1 ? ' failed' : ` ${count} problems`
}
