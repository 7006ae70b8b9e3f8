// scripts/structure.ts: `npm run structure` counts how the code is built, in this checkout or another one beside it, and
// how many files each recipe of CONTRIBUTING touches.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { text } from './command-line/flags.ts'
import { countStructure } from './structure/counts.ts'

const here = join(import.meta.dirname, '..')

/** By the name of the recipe: how many files its last sentence names. */
function recipesOf(root: string): Record<string, number> {
  const file = join(root, 'CONTRIBUTING.md')
  const sections = existsSync(file) ? readFileSync(file, 'utf8').split(/^## /m) : []
  return Object.fromEntries(
    sections.flatMap((section) => {
      const [title = ''] = section.split('\n')
      const touched = /You touch:([\s\S]*?)(?:\n\n|$)/.exec(section)?.[1]
      const files = new Set(touched?.match(/`[^`]+`/g) ?? [])
      return title.startsWith('Add ') && touched !== undefined ? [[title.toLowerCase(), files.size]] : []
    }),
  )
}

await runCommand(
  {
    call: 'npm run structure --',
    about: 'Counts how the code is built: files, callbacks, fields, assertions and the files of each recipe.',
    flags: { against: text('FOLDER', null, 'another checkout, to show beside this one') },
  },
  async ({ against }) => {
    const roots = against === null ? [here] : [resolve(against), here]
    const columns = roots.map((root) => ({ ...countStructure(root), ...recipesOf(root) }))
    const names = [...new Set(columns.flatMap((column) => Object.keys(column)))]
    for (const name of names) {
      const values = columns.map((column) =>
        String((column as Record<string, number>)[name] ?? '–').padStart(8),
      )
      console.log(`${name.padEnd(30)}${values.join('')}`)
    }
  },
)
