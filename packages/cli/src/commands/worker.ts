// commands/worker.ts: creates a worker project: a new folder with everything that it needs. Never writes into
// a folder that is not empty.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { idMistake, UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { projectFiles } from '../worker-project/project-files.ts'

const verbs: Readonly<Record<string, (parsed: ParsedArguments, terminal: Terminal) => number>> = { init }

export const worker: Command = {
  summary: 'start a project for jobs that run outside the service',
  usage: 'init NAME',
  firstWords: Object.keys(verbs),
  flags: {},
  examples: ['pulseward worker init mail-roundtrip'],
  async run({ flags, operands: [name = '', ...operands] }, terminal) {
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined) throw new UsageError('Say what to do: pulseward worker init NAME. See --help.')
    return verb({ flags, operands }, terminal)
  },
}

function init({ operands: [name, unexpected] }: ParsedArguments, { stdout }: Terminal): number {
  if (name === undefined) throw new UsageError('Name the job type: pulseward worker init NAME.')
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  const mistake = idMistake(name)
  if (mistake !== null) throw new UsageError(`The name ${mistake}.`)
  const files = projectFiles(name)
  makeFolder(name)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(name, path)), { recursive: true })
    // Fails if the file has been created meanwhile.
    writeFileSync(join(name, path), content, { flag: 'wx' })
  }
  stdout.write(
    `${Object.keys(files)
      .map((path) => join(name, path))
      .join('\n')}\n`,
  )
  stdout.write(
    `Next, with Node.js 24 or newer: cd ${name} && npm install && npm test. Its README.md says how to run it, and what to do before this version is released.\n`,
  )
  return 0
}

function makeFolder(name: string): void {
  try {
    mkdirSync(name, { recursive: true })
    if (readdirSync(name).length === 0) return
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file has that name' : message
    throw new UsageError(`The folder ${name} cannot be made: ${reason}. Choose another name.`, {
      cause: error,
    })
  }
  throw new UsageError(`The folder ${name} has something in it. Choose another name, or empty it.`)
}
