// scripts/mutate/scratch-tree.ts: a copy of the checkout in which one mutant at a time is tried: the working
// tree is never touched. Dependencies are links to the installed ones; our own packages are links into the
// copy, so that the tests import the mutant.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { apply, type Mutant } from './mutants.ts'

const ownScope = '@pulseward'
/** Generated, or not needed by tests. */
const leftOut = new Set(['node_modules', '.git', '.cache', 'dist'])

export class ScratchTree {
  readonly root: string

  constructor(checkout: string, root: string) {
    this.root = root
    cpSync(checkout, root, { recursive: true, filter: (path) => !leftOut.has(basename(path)) })
    linkDependencies(checkout, root)
  }

  /** Plants the mutant, does the work, and removes it again. */
  async with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result> {
    const path = join(this.root, mutant.file)
    const original = readFileSync(path, 'utf8')
    writeFileSync(path, apply(original, mutant))
    try {
      return await work()
    } finally {
      writeFileSync(path, original)
    }
  }
}

function linkDependencies(checkout: string, root: string): void {
  const [from, to] = [join(checkout, 'node_modules'), join(root, 'node_modules')]
  mkdirSync(join(to, ownScope), { recursive: true })
  for (const name of readdirSync(from))
    if (name !== ownScope && name !== '.cache') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, ownScope)))
    symlinkSync(join(root, 'packages', name), join(to, ownScope, name))
  for (const name of readdirSync(join(root, 'packages'))) {
    const own = join(checkout, 'packages', name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(root, 'packages', name, 'node_modules'))
  }
}
