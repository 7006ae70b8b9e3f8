// scripts/recipes/follow.ts: makes the changes of one step in a folder, exactly as the recipe says. It
// refuses a file that already exists, and an anchor that is missing or occurs twice.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Place, RecipeError, type Step } from './recipe.ts'

export function change(root: string, step: Exclude<Step, { kind: 'run' }>): void {
  const path = join(root, step.file)
  const fail = (words: string): never => {
    throw new RecipeError(`The block at CONTRIBUTING.md:${step.line} ${words}`)
  }
  if (step.kind === 'write') {
    if (existsSync(path)) fail(`writes ${step.file}, which exists already: name a line to put it after.`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, step.text)
    return
  }
  if (!existsSync(path)) return fail(`adds to ${step.file}, which does not exist.`)
  const lines = readFileSync(path, 'utf8').split('\n')
  const found = lines.flatMap((line, index) => (line.includes(step.anchor) ? [index] : []))
  const [at] = found
  if (at === undefined || found.length > 1)
    return fail(`looks for one line of ${step.file} with \`${step.anchor}\` and finds ${found.length}.`)
  writeFileSync(path, inserted(lines, at, step.place, step.text).join('\n'))
}

/** Indents the block like the line that it is inserted at. */
function inserted(lines: readonly string[], at: number, place: Place, text: string): string[] {
  const indentation = /^\s*/.exec(lines[at] ?? '')?.[0] ?? ''
  const block = text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `${indentation}${line}`))
  const start = place === 'after' ? at + 1 : at
  return lines.toSpliced(start, place === 'instead of' ? 1 : 0, ...block)
}
