// scripts/mutate.ts: `npm run mutate` plants small defects in the code that decides and checks whether the tests notice.
// It takes a sample by seed, each mutant in a copy of the checkout. Prints every survivor and the score; exits with 1 if
// a survivor is not explained in mutate/explained-survivors.json, or an explanation has lost its code.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { type FlagValues, text, toggle, UsageError, wholeNumber } from './command-line/flags.ts'
import { isExplained, readExplanations, staleExplanations } from './mutate/explained-survivors.ts'
import { Judges } from './mutate/judges.ts'
import { type Mutant, mutantsOf } from './mutate/mutants.ts'
import { print, printSummary, printTried, type Tried } from './mutate/report.ts'
import { sample } from './mutate/sample.ts'
import { ScratchTree } from './mutate/scratch-tree.ts'
import { mutableFiles } from './mutate/targets.ts'

const root = join(import.meta.dirname, '..')
const decidingCode = 'packages/server/src/{engine,deciding,acting,persistence}/**/*.ts'
const flags = {
  files: text('GLOB', decidingCode, 'the files in which defects are planted'),
  sample: wholeNumber(240, 'how many mutants are tried'),
  seed: wholeNumber(1, 'the seed that chooses them'),
  minutes: wholeNumber(30, 'no mutant is started after this time'),
  workers: wholeNumber(availableParallelism(), 'how many mutants are tried at once'),
  list: toggle('print the chosen mutants and try none'),
}

const about = 'Plants small defects in the code that decides and asks the tests whether they notice.'
await runCommand({ call: 'npm run mutate --', about, flags }, async (wanted) => {
  const files = mutableFiles(root, wanted.files)
  if (files.length === 0) throw new UsageError(`No file of the service matches ${wanted.files}.`)
  const mutants = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  const chosen = sample(mutants, wanted.sample, wanted.seed, nameOf)
  print(`${chosen.length} of ${mutants.length} mutants of ${files.length} files, seed ${wanted.seed}`)
  if (wanted.list) for (const { file, line, change } of chosen) print(`${file}:${line}  ${change}`)
  else await tryAll(chosen, mutants, wanted)
})

function nameOf({ file, lineText, change }: Mutant): string {
  return [file, lineText, change].join('\n')
}

async function tryAll(
  chosen: readonly Mutant[],
  all: readonly Mutant[],
  wanted: FlagValues<typeof flags>,
): Promise<void> {
  const explanations = readExplanations()
  const stale = staleExplanations(
    explanations.filter(({ file }) => all.some((mutant) => mutant.file === file)),
    all,
  )
  const unexplained = chosen.filter((mutant) => !isExplained(mutant, explanations))
  const tried = await tryInCopies(unexplained, wanted)
  const survivors = tried.filter(({ notice }) => notice === null)
  printSummary({ tried, explained: chosen.length - unexplained.length, chosen: chosen.length })
  for (const { file, lineText } of stale)
    print(`Explained, but gone: remove it from explained-survivors.json: ${file}: ${lineText}`)
  if (survivors.length > 0 || stale.length > 0 || tried.length === 0) process.exitCode = 1
}

async function tryInCopies(
  mutants: readonly Mutant[],
  { workers, minutes }: FlagValues<typeof flags>,
): Promise<Tried[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-mutate-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const trees = Array.from({ length: workers }, (_, index) => {
    const place = join(folder, `worker-${index + 1}`)
    mkdirSync(place)
    return new ScratchTree(root, place)
  })
  const endMs = performance.now() + minutes * 60_000
  const files = [...new Set(mutants.map(({ file }) => file))]
  print('The tests and the simulation look at the code without a mutant…')
  const judges = await Judges.prepare(trees[0]!.root, files)
  const left = [...mutants]
  const tried: Tried[] = []
  const work = async (tree: ScratchTree) => {
    while (performance.now() < endMs) {
      const mutant = left.shift()
      if (mutant === undefined) return
      const startedMs = performance.now()
      const notice = await tree.with(mutant, () => judges.firstToNotice(tree.root, mutant.file))
      const one = { mutant, notice, seconds: (performance.now() - startedMs) / 1_000 }
      tried.push(one)
      printTried(one)
    }
  }
  await Promise.all(trees.map(work))
  process.off('exit', removeFolder)
  removeFolder()
  return tried
}
