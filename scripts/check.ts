// scripts/check.ts: `npm run check`, everything that can be checked without running the code. Exits with 1 if
// any part except the hints found something.
import { join } from 'node:path'
import { boundaries } from './check/boundaries.ts'
import { docPaths } from './check/doc-paths.ts'
import { generated } from './check/generated.ts'
import type { Part } from './check/part.ts'
import { runParts } from './check/run-parts.ts'
import { tools } from './check/tools.ts'
import { wording } from './check/wording.ts'
import { runCommand } from './command-line/command.ts'
import { someOf } from './command-line/flags.ts'

const parts: readonly Part[] = [...tools, boundaries, generated, docPaths, wording]
const root = join(import.meta.dirname, '..')

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
    process.exitCode = (await runParts(chosen, root, console.log)) ? 0 : 1
  },
)
