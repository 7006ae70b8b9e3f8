// scripts/check/tools.ts: the parts that are third-party programs, each run as it would be by hand.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Part } from './part.ts'

export const tools: readonly Part[] = [
  tool('biome', ['ci', '--colors=off', '--error-on-warnings']),
  tool('tsc', ['--project', '.', '--pretty', 'false']),
  // Browser code has other globals.
  tool('tsc', ['--project', 'packages/dashboard', '--pretty', 'false'], 'tsc (web)'),
  tool('knip', ['--no-progress', '--cache', '--no-config-hints']),
]

function tool(program: string, args: readonly string[], name: string = program): Part {
  return {
    name,
    async run(root) {
      const child = spawn(join(root, 'node_modules/.bin', program), args, {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: process.platform === 'win32',
      })
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return code === 0 ? [] : [`${stdout}${stderr}`.trim() || `${name} ended with ${code} and said nothing`]
    },
  }
}
