// What is on disk when the power is cut or the process is killed while principals are made and revoked: what was answered
// is there, what was not is whole or absent, and the next start goes on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describeUnless, Random, temporaryFolder } from '@pulseward/testing'
import { LossyDisk, traceDisk, whyNoDiskTrace } from '@pulseward/testing/power-cut'
import { describe, expect, it } from 'vitest'
import { dataDirectory } from '../store/data-directory.ts'
import { listPrincipals, operatorDigest } from './edit-principals.ts'
import { makeFirstOperator } from './first-operator.ts'

const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Says what it has done after each step: `first`, `+NAME DIGEST`, `-NAME`. */
const edits = (isEndless: boolean) => `
  import { writeSync } from 'node:fs'
  import { dataDirectory } from ${moduleAt('../store/data-directory.ts')}
  import { createPrincipal, revokePrincipal } from ${moduleAt('edit-principals.ts')}
  import { makeFirstOperator } from ${moduleAt('first-operator.ts')}
  import { digestOf } from ${moduleAt('token.ts')}
  const files = dataDirectory(process.argv[2])
  makeFirstOperator(files)
  writeSync(1, 'first\\n')
  for (let index = 0; ${isEndless ? 'true' : 'index < 3'}; index++) {
    const name = 'p-' + index
    const { token } = createPrincipal(files, { name, role: 'reader', expiresMs: null, jobTypes: [] })
    writeSync(1, '+' + name + ' ' + digestOf(token) + '\\n')
    if (index % 2 === 0) continue
    revokePrincipal(files, name)
    writeSync(1, '-' + name + '\\n')
  }
  revokePrincipal(files, 'first')
  writeSync(1, '-first\\n')
`

/** Who is there after so many of the steps above. */
function namesAfter(answers: readonly string[]): string[] {
  const names = new Set<string>()
  for (const answer of answers) {
    const [what = ''] = answer.split(' ')
    if (what === 'first') names.add(what)
    else if (what.startsWith('+')) names.add(what.slice(1))
    else names.delete(what.slice(1))
  }
  return [...names]
}

/** All that was answered is there; the step that was cut off is there whole, or not at all. */
function expectAnswered(directory: string, answers: readonly string[], isEndless: boolean): void {
  const files = dataDirectory(directory)
  const known = existsSync(files.principals) ? listPrincipals(files) : []
  const next = stepAfter(answers, isEndless)
  const possible = [answers, ...(next === null ? [] : [[...answers, next]])].map(namesAfter)
  expect(possible).toContainEqual(known.map(({ name }) => name))
  for (const { name, digest } of known) {
    const created = answers.find((answer) => answer.startsWith(`+${name} `))
    if (created !== undefined) expect(created).toBe(`+${name} ${digest}`)
    if (name === 'first' && answers.length > 0) expect(operatorDigest(files.operatorToken)).toBe(digest)
  }
}

function stepAfter(answers: readonly string[], isEndless: boolean): string | null {
  const last = answers.at(-1)
  if (last === undefined) return 'first'
  const index = Number(/p-(\d+)/.exec(last)?.[1] ?? -1)
  if (last.startsWith('+') && index % 2 === 1) return `-p-${index}`
  if (isEndless || index < 2) return `+p-${index + 1}`
  return last === '-first' ? null : '-first'
}

/** A start finds principals, or makes the first; it never has to be helped. */
function expectStarts(directory: string): void {
  const files = dataDirectory(directory)
  const before = existsSync(files.principals) ? listPrincipals(files) : null
  makeFirstOperator(files)
  const after = listPrincipals(files)
  if (before !== null) expect(after).toEqual(before)
  const first = after.find(({ name }) => name === 'first')
  if (first !== undefined) expect(operatorDigest(files.operatorToken)).toBe(first.digest)
  expect(readdirSync(directory)).not.toContain('operator.token.partial')
}

describeUnless(whyNoDiskTrace(), 'a power cut', () => {
  it('loses nothing that was answered and never keeps the service from starting', async () => {
    using trace = await traceDisk({ program: edits(false) })
    const { root, operations } = trace
    expect(operations.filter(({ kind }) => kind === 'output')).toHaveLength(6)
    for (let cut = 0; cut <= operations.length; cut++) {
      for (const seed of [1, 2, 3]) {
        using folder = temporaryFolder()
        mkdirSync(folder.path('disk'))
        const disk = new LossyDisk(root)
        const answers: string[] = []
        for (const operation of operations.slice(0, cut)) {
          disk.take(operation)
          if (operation.kind === 'output') answers.push(operation.text.trim())
        }
        disk.writeAfterPowerCut(new Random(seed), folder.path('disk'))
        // The trace has no rights of files.
        for (const name of readdirSync(folder.path('disk'))) chmodSync(folder.path(`disk/${name}`), 0o600)
        expectAnswered(folder.path('disk'), answers, false)
        expectStarts(folder.path('disk'))
      }
    }
  })
})

/** The principals file lies outside of the data directory, so that syncing its folder syncs nothing of the token. */
const startsElsewhere = `
  import { mkdirSync } from 'node:fs'
  import { syncToDisk } from ${moduleAt('../platform/replace-file.ts')}
  import { dataDirectory } from ${moduleAt('../store/data-directory.ts')}
  import { makeFirstOperator } from ${moduleAt('first-operator.ts')}
  const root = process.argv[2]
  mkdirSync(root + '/etc')
  syncToDisk(root)
  makeFirstOperator({ ...dataDirectory(root + '/data'), principals: root + '/etc/principals.json' })
`

describeUnless(whyNoDiskTrace(), 'a power cut at the first start with a principals file elsewhere', () => {
  it('leaves no principal without a known token', async () => {
    using trace = await traceDisk({ program: startsElsewhere })
    for (let cut = 0; cut <= trace.operations.length; cut++) {
      for (const seed of [1, 2, 3, 4]) {
        using folder = temporaryFolder()
        mkdirSync(folder.path('disk'))
        const disk = new LossyDisk(trace.root)
        for (const operation of trace.operations.slice(0, cut)) disk.take(operation)
        disk.writeAfterPowerCut(new Random(seed), folder.path('disk'))
        const files = {
          ...dataDirectory(folder.path('disk/data')),
          principals: folder.path('disk/etc/principals.json'),
        }
        if (!existsSync(files.principals)) continue
        makeFirstOperator(files)
        expect(listPrincipals(files)).toMatchObject([{ digest: operatorDigest(files.operatorToken) }])
      }
    }
  })
})

describe('kill -9', () => {
  it.each([1, 12])('after %i answers loses none of them', { tags: 'long' }, async (count) => {
    using folder = temporaryFolder()
    const script = folder.write('edits.mjs', edits(true))
    const child = spawn(process.execPath, [script, folder.path('data')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const answers: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => {
      answers.push(line)
      if (answers.length === count) child.kill('SIGKILL')
    })
    await once(child, 'close')
    expect(answers.length).toBeGreaterThanOrEqual(count)
    expectAnswered(folder.path('data'), answers, true)
    expectStarts(folder.path('data'))
  })
})
