// scripts/test-recipes.ts: `npm run test:recipes` follows every recipe of CONTRIBUTING.md literally, in a
// temporary copy of this checkout. Each recipe starts from the unchanged copy: its blocks are written, its
// commands are run, and the files that git then shows as changed must be those that it names. Only
// `npm run format` and `npm run check` are deferred: at the end the changes of all recipes are made together,
// and they run once. With PULSEWARD_TEST_RESULTS each recipe counts as a test.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { someOf } from './command-line/flags.ts'
import { GENERATED_FOLDERS, generate } from './generate.ts'
import { change } from './recipes/follow.ts'
import { findRecipes, isAmong, parseRecipe, type Recipe, RecipeError } from './recipes/recipe.ts'
import { TemporaryClone } from './recipes/temporary-clone.ts'
import type { TestOutcome } from './test/counts.ts'

const root = join(import.meta.dirname, '..')
const recipes = findRecipes(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))

const check = 'npm run check'
/** They read the whole repository, so they run once for all recipes together. */
const deferred: readonly string[] = [check, 'npm run format']

/** Returns the files that it changed, without generated ones. */
async function follow(
  { steps, touches }: Recipe,
  clone: TemporaryClone,
  generatedFiles: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  clone.reset()
  for (const step of steps) {
    if (step.kind !== 'run') change(clone.root, step)
    else if (!deferred.includes(step.command))
      await runIn(clone, step.command, `The command at CONTRIBUTING.md:${step.line}`)
  }
  const isGenerated = (file: string) =>
    generatedFiles.has(file) || GENERATED_FOLDERS.some((folder) => file.startsWith(`${folder}/`))
  const changed = clone.changedFiles().filter((file) => !isGenerated(file))
  const unnamed = changed.filter((file) => !isAmong(touches, file))
  const untouched = touches.filter((place) => !changed.some((file) => isAmong([place], file)))
  if (unnamed.length > 0)
    throw new RecipeError(`It changes ${unnamed.join(', ')}, which is not in its list “You touch:”.`)
  if (untouched.length > 0)
    throw new RecipeError(`It says that you touch ${untouched.join(', ')}, which it leaves as it was.`)
  return changed
}

async function runIn(clone: TemporaryClone, command: string, what: string): Promise<void> {
  const { code, output } = await clone.run(command)
  if (code !== 0) throw new RecipeError(`${what}, \`${command}\`, ends with ${code}:\n${output.trim()}`)
}

/** Prints one line. A recipe that cannot be followed is a failure; any other error is a defect of this script. */
async function told(what: string, work: () => Promise<string>): Promise<TestOutcome> {
  const startedAt = performance.now()
  const end = await work().then(
    (detail) => ({ outcome: 'passed' as const, words: detail }),
    (error: unknown) => {
      if (!(error instanceof RecipeError)) throw error
      return { outcome: 'failed' as const, words: error.message.replaceAll('\n', '\n  ') }
    },
  )
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const mark = end.outcome === 'passed' ? '✓' : '✗'
  console.log(`${mark} ${what.padEnd(16)} ${seconds.padStart(6)} s  ${end.words}`)
  return end.outcome
}

async function testRecipes(names: readonly string[]): Promise<Record<string, TestOutcome>> {
  using clone = new TemporaryClone()
  const generatedFiles = await generate()
  const outcomes: Record<string, TestOutcome> = {}
  const followed: Recipe[] = []
  for (const text of recipes.filter(({ name }) => names.includes(name)))
    outcomes[text.title] = await told(text.title, async () => {
      const recipe = parseRecipe(text)
      const changed = await follow(recipe, clone, generatedFiles)
      followed.push(recipe)
      return `${changed.length} files`
    })
  if (followed.length > 0)
    outcomes[check] = await told(check, async () => {
      clone.reset()
      for (const { steps } of followed)
        for (const step of steps) if (step.kind !== 'run') change(clone.root, step)
      for (const command of ['npm run format', 'npm run generate', check])
        await runIn(clone, command, 'With all recipes together')
      return `${followed.length} recipes together`
    })
  return outcomes
}

await runCommand(
  {
    call: 'npm run test:recipes --',
    about: 'Follows the recipes of CONTRIBUTING.md in a temporary copy of this checkout.',
    flags: {
      only: someOf(
        'NAME',
        recipes.map(({ name }) => name),
        'follow these recipes alone',
      ),
    },
  },
  async ({ only }) => {
    const outcomes = await testRecipes(only)
    const results = process.env['PULSEWARD_TEST_RESULTS']
    if (results !== undefined) writeFileSync(join(results, `${process.pid}.json`), JSON.stringify(outcomes))
    process.exitCode = Object.values(outcomes).includes('failed') ? 1 : 0
  },
)
