// scripts/check.ts: `npm run check`, all that can be known about the code without running it. The parts run side
// by side; each gets one line with its time, and only what failed is shown in detail. Exits with 1 if any failed.
import { join } from 'node:path'
import { boundaries } from './check/boundaries.ts'
import { docPaths } from './check/doc-paths.ts'
import { generated } from './check/generated.ts'
import type { Part } from './check/part.ts'
import { tools } from './check/tools.ts'
import { runCommand } from './command-line/command.ts'
import { someOf } from './command-line/flags.ts'

const parts: readonly Part[] = [...tools, boundaries, generated, docPaths]
const root = join(import.meta.dirname, '..')

async function run(part: Part): Promise<{ readonly name: string; readonly problems: readonly string[] }> {
  const startedAt = performance.now()
  const problems = await part.run(root).catch((error) => [`the part itself failed: ${error.stack ?? error}`])
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const count =
    problems.length > 0 ? ` ${problems.length === 1 ? 'failed' : `${problems.length} problems`}` : ''
  console.log(`${count ? '✗' : '✓'} ${part.name.padEnd(10)} ${seconds.padStart(5)} s${count}`)
  return { name: part.name, problems }
}

await runCommand(
  {
    call: 'npm run check --',
    about: 'Checks all that can be known about the code without running it.',
    flags: {
      only: someOf(
        'NAME',
        parts.map((part) => part.name),
        'run these parts alone',
      ),
    },
  },
  async ({ only }) => {
    const chosen = parts.filter((part) => only.includes(part.name))
    const results = await Promise.all(chosen.map(run))
    const failed = results.filter(({ problems }) => problems.length > 0)
    for (const { name, problems } of failed) console.log(`\n${name}\n${problems.join('\n')}`)
    process.exitCode = failed.length > 0 ? 1 : 0
  },
)
