// scripts/recipes/temporary-clone.ts: a copy of this checkout in a temporary folder, with a separate git repository and
// the dependencies of the checkout as symbolic links. It contains the files as they are now, committed or not. Packages
// of this repository resolve to the copy. The folder is removed at the end of its scope.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '../..')
/** Folders of node_modules whose entries are linked one by one. */
const opened = /^(@.*|\.bin)$/
const author = ['-c', 'user.name=Recipes', '-c', 'user.email=recipes@example.invalid']

export class TemporaryClone implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'pulseward-recipes-'))

  constructor() {
    const files = git(repository, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    for (const file of new Set(files.split('\0'))) {
      const from = join(repository, file)
      if (file === '' || !existsSync(from)) continue
      mkdirSync(dirname(join(this.root, file)), { recursive: true })
      copyFileSync(from, join(this.root, file))
    }
    linkDependencies(join(repository, 'node_modules'), join(this.root, 'node_modules'))
    linkBrowser(this.root)
    git(this.root, 'init', '--quiet')
    git(this.root, 'add', '--all')
    git(this.root, ...author, 'commit', '--quiet', '--message', 'Start')
  }

  /** As `git status` shows them, with each new file. */
  changedFiles(): string[] {
    const lines = git(this.root, 'status', '--porcelain', '--untracked-files=all', '-z').split('\0')
    return lines.filter((line) => line !== '').map((line) => line.slice(3))
  }

  /** Restores the original files. */
  reset(): void {
    git(this.root, 'reset', '--quiet', '--hard')
    git(this.root, 'clean', '--quiet', '-d', '--force')
  }

  /** Runs a command line to its end. */
  async run(command: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const child = spawn(command, {
      cwd: this.root,
      env: environmentFor(this.root),
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    const [code] = await once(child, 'close')
    return { code, output }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 })
  }
}

function git(folder: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** Links between packages are relative: copied as they are, they lead to the packages of the copy. */
function linkDependencies(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(from, name)), join(to, name))
    else if (opened.test(name)) linkDependencies(join(from, name), join(to, name))
    else if (!name.startsWith('.') || name === '.package-lock.json')
      symlinkSync(join(from, name), join(to, name))
  }
}

/** The unpacked browser is only read; every other cache belongs to one checkout. */
function linkBrowser(root: string): void {
  const browser = 'node_modules/.cache/browser'
  if (!existsSync(join(repository, browser))) return
  mkdirSync(dirname(join(root, browser)), { recursive: true })
  symlinkSync(join(repository, browser), join(root, browser))
}

/** Without variables of npm, of the test run or of programs that belong to the original checkout. */
function environmentFor(root: string): NodeJS.ProcessEnv {
  const foreign = /^(npm_|INIT_CWD$|PULSEWARD_|VITEST|NODE_)/
  const kept = Object.entries(process.env).filter(
    ([name]) => !foreign.test(name) || name === 'PULSEWARD_BROWSER',
  )
  const programs = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(repository, 'node_modules')))
  return {
    ...Object.fromEntries(kept),
    PATH: [join(root, 'node_modules/.bin'), ...programs].join(delimiter),
  }
}
