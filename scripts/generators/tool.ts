// generators/tool.ts: runs third-party programs for the tests of generated clients. A step that downloads
// something may fail because a program or the network is missing: then the test is skipped, with the reason.
// Any other step must succeed.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Place {
  readonly folder: string
  readonly environment?: NodeJS.ProcessEnv
}

/** Returns the output; if the program fails, the error contains it. */
export async function runTool(
  { folder, environment = {} }: Place,
  program: string,
  ...words: string[]
): Promise<string> {
  try {
    const options = { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 1 << 26 }
    return (await run(program, words, options)).stdout
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${stdout}\n${stderr}`.slice(0, 10_000), { cause: error })
  }
}

/** Null if the tool is available; otherwise why it is not. */
export async function fetchTool(
  name: string,
  place: Place,
  ...steps: readonly (readonly [program: string, ...words: string[]])[]
): Promise<string | null> {
  for (const [program, ...words] of steps) {
    try {
      await runTool(place, program, ...words)
    } catch (error) {
      const [, reason = (error as Error).message] =
        /^(?:.*ERR!|.*rror:?) *(.*)$/m.exec((error as Error).message) ?? []
      return `${name} is not to be had here: ${reason.slice(0, 200)}`
    }
  }
  return null
}
