import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import { dataDirectory } from '../store/data-directory.ts'
import { StoreError } from '../store/store.ts'
import { type AccessFiles, createPrincipal, listPrincipals, revokePrincipal } from './edit-principals.ts'
import { makeFirstOperator } from './first-operator.ts'
import { principalsInFile } from './principal-source.ts'
import { Principals } from './principals.ts'
import { lockPrincipals } from './principals-file.ts'
import { digestOf } from './token.ts'

const ann = { name: 'ann', role: 'operator', expiresMs: null, jobTypes: [] } as const

let folder: TemporaryFolder
let files: AccessFiles
beforeEach(() => {
  folder = temporaryFolder()
  files = dataDirectory(folder.root)
})
afterEach(() => folder[Symbol.dispose]())

const names = () => listPrincipals(files).map(({ name }) => name)

describe('a new principal', () => {
  it('gets a token that works, of which only the digest is kept', () => {
    const { token, isFirst } = createPrincipal(files, ann)
    expect(isFirst).toBe(true)
    expect(listPrincipals(files)).toEqual([{ ...ann, digest: digestOf(token) }])
    for (const name of readdirSync(folder.root))
      expect(readFileSync(folder.path(name), 'utf8')).not.toContain(token.slice(3, 40))
    using principals = Principals.open(principalsInFile(files.principals), systemClock)
    expect(principals.principalOf(token, 0)).toMatchObject({ name: 'ann' })
  })

  it('comes after the others', () => {
    createPrincipal(files, ann)
    const worker = { name: 'w', role: 'worker', expiresMs: 1_000, jobTypes: ['disk'] } as const
    expect(createPrincipal(files, worker).isFirst).toBe(false)
    expect(listPrincipals(files)).toMatchObject([ann, worker])
  })

  it('of a name that is taken is refused, and the other keeps its token', () => {
    createPrincipal(files, ann)
    const before = listPrincipals(files)
    expect(() => createPrincipal(files, { ...ann, role: 'reader' })).toThrow(
      'There is a principal ann already; choose another name, or revoke it first.',
    )
    expect(listPrincipals(files)).toEqual(before)
  })

  it('that the file could not be read with is refused', () => {
    expect(() => createPrincipal(files, { ...ann, name: 'a b' })).toThrow(
      /principals\.json would not be valid with this principal: principals\[0\]\.name: must be at most 128 letters/,
    )
    expect(existsSync(files.principals)).toBe(false)
  })

  it('is not put into a file that cannot be used', () => {
    writeFileSync(files.principals, '{}', { mode: 0o600 })
    expect(() => createPrincipal(files, ann)).toThrow(UsageError)
    expect(readFileSync(files.principals, 'utf8')).toBe('{}')
  })

  it('does not take the place of a list that was lost', () => {
    writeFileSync(files.operatorToken, 'left by a first start')
    expect(() => createPrincipal(files, ann)).toThrow(
      `The principals file ${files.principals} is missing, although ${files.operatorToken} shows that there was one. Put the principals file back, or remove ${files.operatorToken} to start over without principals.`,
    )
    expect(existsSync(files.principals)).toBe(false)
  })

  it('waits for another change, but not for ever', () => {
    using _lock = lockPrincipals(files.principals)
    expect(() => createPrincipal(files, ann, 20)).toThrow(StoreError)
    expect(() => createPrincipal(files, ann, 20)).toThrow(/did not finish within 20 ms; try again\.$/)
  })
})

describe('a revoked principal', () => {
  it('is gone, and the others stay', () => {
    createPrincipal(files, ann)
    createPrincipal(files, { ...ann, name: 'bob', role: 'reader' })
    expect(revokePrincipal(files, 'ann')).toMatchObject({ revoked: { name: 'ann' }, left: [{ name: 'bob' }] })
    expect(names()).toEqual(['bob'])
    expect(revokePrincipal(files, 'ann')).toBe(null)
    expect(revokePrincipal(files, 'bob')).toMatchObject({ left: [] })
    expect(names()).toEqual([])
  })

  it('may have its name taken by another, who gets another token', () => {
    const { token } = createPrincipal(files, ann)
    revokePrincipal(files, 'ann')
    expect(createPrincipal(files, ann).token).not.toBe(token)
  })

  it('takes the file of its token along, if that is where it is', () => {
    makeFirstOperator(files)
    createPrincipal(files, ann)
    revokePrincipal(files, 'ann')
    expect(existsSync(files.operatorToken)).toBe(true)
    revokePrincipal(files, 'first')
    expect(existsSync(files.operatorToken)).toBe(false)
  })

  it('leaves another token where it is, and one that cannot be read', () => {
    makeFirstOperator(files)
    writeFileSync(files.operatorToken, 'another token\n')
    revokePrincipal(files, 'first')
    expect(readFileSync(files.operatorToken, 'utf8')).toBe('another token\n')
    createPrincipal(files, ann)
    chmodSync(files.operatorToken, 0o644)
    revokePrincipal(files, 'ann')
    expect(existsSync(files.operatorToken)).toBe(true)
  })

  it('is looked for in a file that is there', () => {
    expect(() => revokePrincipal(files, 'ann')).toThrow(
      `The principals file ${files.principals} does not exist. pulseward token create makes it, and so does the first start of the edition next.`,
    )
    expect(readdirSync(folder.root)).toEqual([])
  })
})
