// scripts/mutate/scratch-tree.ts: a copy of the checkout in which one mutant at a time is tried: the working tree is never
// touched. Dependencies are links to the installed ones; our own packages are links into the copy, or a mutant would not
// be what the tests import.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { apply, type Mutant } from './mutants.ts'

const ownScope = '@pulseward'

export class ScratchTree {
  readonly root: string

  constructor(checkout: string, root: string) {
    this.root = root
    for (const path of filesOf(checkout)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      copyFileSync(join(checkout, path), join(root, path))
    }
    linkDependencies(checkout, root)
  }

  /** Plants the mutant, does the work, and takes it out again. */
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

/** What is in the checkout as it stands, committed or not, without what Git ignores. */
function filesOf(checkout: string): string[] {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', words, { cwd: checkout, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(checkout, path)))
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
