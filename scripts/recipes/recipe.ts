// scripts/recipes/recipe.ts: parses the recipes of CONTRIBUTING.md into steps that a program can follow. The document
// explains the conventions above its recipes. An ambiguous recipe is refused with a sentence that names the line.

export type Step =
  | { readonly kind: 'write'; readonly line: number; readonly file: string; readonly text: string }
  | {
      readonly kind: 'insert'
      readonly line: number
      readonly file: string
      readonly place: Place
      readonly anchor: string
      readonly text: string
    }
  | { readonly kind: 'run'; readonly line: number; readonly command: string }

export type Place = 'after' | 'before' | 'instead of'

export interface RecipeText {
  /** The last word of the title: `check`. */
  readonly name: string
  readonly title: string
  readonly lines: readonly string[]
  /** Line number in the document, from 1. */
  readonly firstLine: number
}

export interface Recipe {
  readonly name: string
  readonly title: string
  readonly steps: readonly Step[]
  /** The files and folders that its last sentence names, without generated files. */
  readonly touches: readonly string[]
}

/** A recipe that cannot be followed. */
export class RecipeError extends Error {}

interface Block {
  /** Line number of its opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** The paragraph above it, as one line. */
  readonly lead: string
}

const named = /`([^`]+)`(?:,? (after|before|instead of) (?:the line )?`([^`]+)`)?:$/
/** What NAME stands for while a recipe is followed. */
const exampleName = 'sample'
const pathLike = /^[\w.@-]+(\/[\w.@-]+)+$/

/** The sections of the document that are recipes, not yet parsed. */
export function findRecipes(document: string): readonly RecipeText[] {
  const lines = document.split('\n')
  const starts = lines.flatMap((line, index) => (line.startsWith('## ') ? [index] : []))
  return starts.flatMap((start, index) => {
    const title = (lines[start] ?? '').slice('## '.length).trim()
    const name = title.split(' ').at(-1) ?? title
    const body = lines.slice(start + 1, starts[index + 1])
    return title.startsWith('Add ') ? [{ name, title, lines: body, firstLine: start + 2 }] : []
  })
}

/** Throws a RecipeError for what cannot be followed. */
export function parseRecipe({ name, title, lines, firstLine }: RecipeText): Recipe {
  const fail = (words: string, line = firstLine - 1): never => {
    throw new RecipeError(`“${title}” (CONTRIBUTING.md:${line}) ${words}`)
  }
  const steps = blocksOf(lines, firstLine).flatMap((block) => stepsOf(block, fail))
  if (steps.length === 0) fail('has no block to follow: show the files and the commands.')
  const touched = /You touch:([\s\S]*?)(?:\n\n|$)/.exec(lines.join('\n'))?.[1]
  if (touched === undefined)
    return fail('does not end with the files that it touches: “You touch: `FILE`, …”.')
  const touches = [...touched.matchAll(/`([^`]+)`/g)].map(([, file = '']) => fill(file))
  const changes = steps.filter((step) => step.kind !== 'run')
  for (const { file, line } of changes)
    if (!isAmong(touches, file)) fail(`changes ${file}, which is not in its list “You touch:”.`, line)
  for (const place of touches)
    if (!changes.some(({ file }) => isAmong([place], file)))
      fail(`says that you touch ${place}, but no block changes it.`)
  return { name, title, steps, touches }
}

/** A place is a file or a whole folder. */
export function isAmong(places: readonly string[], file: string): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`))
}

function stepsOf(
  { line, language, text, lead }: Block,
  fail: (words: string, line: number) => never,
): Step[] {
  if (language === 'sh') return commandsOf(fill(text)).map((command) => ({ kind: 'run', line, command }))
  const [, file, place, anchor] = named.exec(lead) ?? []
  if (file === undefined || !pathLike.test(file))
    return fail('has a block without a file: end the sentence above it with the file and a colon.', line)
  const where = { line, file: fill(file), text: fill(text) }
  return place === undefined || anchor === undefined
    ? [{ kind: 'write', ...where }]
    : [{ kind: 'insert', ...where, place: place as Place, anchor: fill(anchor) }]
}

/** Replaces NAME in the text. */
function fill(text: string): string {
  return text.replace(/\bNAME\b/g, exampleName)
}

/** One command per line; a backslash at the end joins a line with the next one. */
function commandsOf(text: string): string[] {
  const joined = text.replace(/\s*\\\n\s*/g, ' ').split('\n')
  return joined.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

function blocksOf(lines: readonly string[], firstLine: number): Block[] {
  const blocks: Block[] = []
  let open: { readonly at: number; readonly indent: number; readonly language: string } | null = null
  for (const [at, line] of lines.entries()) {
    const [, indent = '', language = ''] = /^( *)```(\w*)$/.exec(line) ?? []
    if (!line.trim().startsWith('```')) continue
    if (open === null) {
      open = { at, indent: indent.length, language }
      continue
    }
    const { at: start, indent: width } = open
    const text = lines.slice(start + 1, at).map((inner) => inner.slice(width))
    blocks.push({
      line: firstLine + start,
      language: open.language,
      text: `${text.join('\n')}\n`,
      lead: paragraphAbove(lines, start),
    })
    open = null
  }
  return blocks
}

function paragraphAbove(lines: readonly string[], start: number): string {
  const above = lines.slice(0, start).join('\n').trimEnd()
  const [last = ''] = above.split(/\n\s*\n|```\n/).slice(-1)
  return last.replace(/\s+/g, ' ').trim()
}
