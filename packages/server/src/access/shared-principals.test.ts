// Principals in a store that several machines share, without the store: the first start, what happens to the file, and
// commands that change the list at the same time.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partialOf } from '../platform/replace-file.ts'
import { type DataDirectory, dataDirectory, makeDirectory } from '../store/data-directory.ts'
import type { SharedPrincipals } from '../store/shared-access.ts'
import { createPrincipal } from './edit-principals.ts'
import { makeFirstOperator } from './first-operator.ts'
import { readPrincipals } from './principals-file.ts'
import { openSharedPrincipals, SharedPrincipalList } from './shared-principals.ts'
import { digestOf } from './token.ts'

interface KeptText extends SharedPrincipals {
  text: string | null
  /** Called once before the next replacement. */
  meanwhile: (() => Promise<unknown>) | null
}

function keptText(): KeptText {
  const kept: KeptText = {
    text: null,
    meanwhile: null,
    newerThan: async (known) => (kept.text === known ? null : kept.text),
    async replace(before, text) {
      const { meanwhile } = kept
      kept.meanwhile = null
      await meanwhile?.()
      if (kept.text !== before) return false
      kept.text = text
      return true
    },
  }
  return kept
}

const wanted = { role: 'operator', expiresMs: null, jobTypes: [] } as const
const place = 'postgres://ward@db/fleet'

let folder: TemporaryFolder
let files: DataDirectory
let kept: KeptText
beforeEach(() => {
  folder = temporaryFolder()
  files = dataDirectory(folder.path('data'))
  makeDirectory(files.root)
  kept = keptText()
})
afterEach(() => folder[Symbol.dispose]())

const list = () => new SharedPrincipalList(kept, files, place)
const names = async () => (await list().list()).map(({ name }) => name)

describe('a first start', () => {
  it('makes an operator, whose token is in the data directory, and only once', async () => {
    expect(await openSharedPrincipals(kept, files, place)).toMatchObject({
      tokenFile: files.operatorToken,
      leftOut: [],
    })
    const [first] = await list().list()
    expect(first).toMatchObject({ name: 'first', role: 'operator' })
    expect(first?.digest).toBe(digestOf(readFileSync(files.operatorToken, 'utf8').trim()))
    expect((await openSharedPrincipals(kept, files, place)).tokenFile).toBeNull()
    expect(await names()).toEqual(['first'])
  })

  it('is completed if it was killed before the token was in its place', async () => {
    await openSharedPrincipals(kept, files, place)
    const token = readFileSync(files.operatorToken, 'utf8')
    writeFileSync(partialOf(files.operatorToken), token, { mode: 0o600 })
    rmSync(files.operatorToken)
    expect((await openSharedPrincipals(kept, files, place)).tokenFile).toBe(files.operatorToken)
    expect(readFileSync(files.operatorToken, 'utf8')).toBe(token)
  })

  it('is refused where there was a list that is lost', async () => {
    writeFileSync(files.operatorToken, 'a token')
    await expect(openSharedPrincipals(kept, files, place)).rejects.toThrow(/is missing, although/)
    expect(kept.text).toBeNull()
  })

  it('takes the list of the file, and leaves a note that commands and other starts refuse', async () => {
    createPrincipal(files, { name: 'ann', ...wanted })
    await openSharedPrincipals(kept, files, place)
    expect(await names()).toEqual(['ann'])
    expect(readPrincipals(files.principals)).toMatchObject({ kind: 'elsewhere' })
    expect(() => createPrincipal(files, { name: 'bob', ...wanted })).toThrow(place)
    expect(makeFirstOperator(files)).toBeNull()
    await expect(openSharedPrincipals(keptText(), files, 'postgres://another')).rejects.toThrow(place)
  })

  it('goes on with the list of another process that was faster', async () => {
    kept.meanwhile = async () => {
      kept.text = '{ "version": 1, "principals": [] }'
    }
    expect((await openSharedPrincipals(kept, files, place)).tokenFile).toBeNull()
    expect(await names()).toEqual([])
    expect(existsSync(files.operatorToken)).toBe(false)
  })

  it('names who is only in the file of this machine, and leaves that file', async () => {
    await openSharedPrincipals(kept, dataDirectory(folder.path('other')), place)
    createPrincipal(files, { name: 'eve', ...wanted })
    expect((await openSharedPrincipals(kept, files, place)).leftOut).toEqual(['eve'])
    expect(readPrincipals(files.principals)).toMatchObject({ kind: 'read' })
  })
})

describe('commands', () => {
  beforeEach(() => openSharedPrincipals(kept, files, place))

  it('do not lose what another command wrote meanwhile', async () => {
    kept.meanwhile = () => list().create({ name: 'bob', ...wanted })
    await list().create({ name: 'ann', ...wanted })
    expect(await names()).toEqual(['first', 'bob', 'ann'])
    await expect(list().create({ name: 'ann', ...wanted })).rejects.toThrow(
      /There is a principal ann already/,
    )
    kept.meanwhile = () => list().revoke('bob')
    expect((await list().revoke('ann'))?.left.map(({ name }) => name)).toEqual(['first'])
    expect(await list().revoke('bob')).toBeNull()
  })

  it('remove the token file of an operator that is revoked', async () => {
    await list().revoke('first')
    expect(existsSync(files.operatorToken)).toBe(false)
  })

  it('say that there is no list yet', async () => {
    await expect(new SharedPrincipalList(keptText(), files, place).list()).rejects.toThrow(/no principals in/)
  })
})

it('keeps the last list in force while the store cannot be read', async () => {
  const { source } = await openSharedPrincipals(kept, files, place)
  const before = await source.fingerprint()
  kept.newerThan = () => Promise.reject(new Error('away'))
  expect(await source.fingerprint()).toBe(before)
  expect(source.read()).toMatchObject({ kind: 'read', principals: [{ name: 'first' }] })
})
