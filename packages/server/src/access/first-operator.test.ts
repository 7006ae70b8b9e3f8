import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { dataDirectory } from '../store/data-directory.ts'
import { type AccessFiles, createPrincipal, listPrincipals } from './edit-principals.ts'
import { makeFirstOperator } from './first-operator.ts'
import { principalsInFile } from './principal-source.ts'
import { Principals } from './principals.ts'
import { makeToken } from './token.ts'

let folder: TemporaryFolder
let files: AccessFiles
beforeEach(() => {
  folder = temporaryFolder()
  files = dataDirectory(folder.path('data'))
})
afterEach(() => folder[Symbol.dispose]())

function operatorInForce() {
  using principals = Principals.open(principalsInFile(files.principals), systemClock)
  return principals.principalOf(readFileSync(files.operatorToken, 'utf8').trim(), 0)
}

const operator = { name: 'ann', role: 'operator', expiresMs: null, jobTypes: [] } as const

describe('the first start', () => {
  it('makes an operator whose token is in a file for the owner alone', () => {
    expect(makeFirstOperator(files)).toBe(files.operatorToken)
    expect(operatorInForce()).toMatchObject({ name: 'first', role: 'operator', expiresMs: null })
    expect(readdirSync(folder.path('data')).sort()).toEqual([
      'operator.token',
      'principals.json',
      'principals.json.lock',
    ])
    if (process.platform === 'win32') return
    for (const file of [files.principals, files.operatorToken])
      expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('happens once', () => {
    makeFirstOperator(files)
    const before = [readFileSync(files.principals, 'utf8'), readFileSync(files.operatorToken, 'utf8')]
    expect(makeFirstOperator(files)).toBe(null)
    expect([readFileSync(files.principals, 'utf8'), readFileSync(files.operatorToken, 'utf8')]).toEqual(
      before,
    )
  })

  it('is not one when there is a principals file, even one without principals', () => {
    makeFirstOperator(files)
    rmSync(files.operatorToken)
    writeFileSync(files.principals, '{"version": 1, "principals": []}', { mode: 0o600 })
    expect(makeFirstOperator(files)).toBe(null)
    expect(existsSync(files.operatorToken)).toBe(false)
    expect(listPrincipals(files)).toEqual([])
  })

  it.each([
    ['is broken', '{'],
    ['is empty', ''],
  ])('is not one when the principals file %s', (_what, text) => {
    folder.write('data/principals.json', text)
    expect(makeFirstOperator(files)).toBe(null)
    expect(readFileSync(files.principals, 'utf8')).toBe(text)
    expect(existsSync(files.operatorToken)).toBe(false)
  })

  it('is not one when the principals file is a link to nothing', () => {
    folder.write('data/other', '')
    symlinkSync(folder.path('not-mounted/principals.json'), files.principals)
    expect(makeFirstOperator(files)).toBe(null)
    expect(readdirSync(folder.path('data')).sort()).toEqual(['other', 'principals.json'])
  })

  it('is not one when the principals file was lost, and nothing is overwritten', () => {
    makeFirstOperator(files)
    const token = readFileSync(files.operatorToken, 'utf8')
    rmSync(files.principals)
    expect(() => makeFirstOperator(files)).toThrow(
      /is missing, although \S+operator\.token shows that there was one\. Put the principals file back, or /,
    )
    expect(readFileSync(files.operatorToken, 'utf8')).toBe(token)
    expect(existsSync(files.principals)).toBe(false)
    rmSync(files.operatorToken)
    expect(makeFirstOperator(files)).toBe(files.operatorToken)
    expect(operatorInForce()).toMatchObject({ name: 'first' })
  })

  it('leaves principals that were made before it alone', () => {
    folder.write('data/other', '')
    createPrincipal(files, operator)
    expect(makeFirstOperator(files)).toBe(null)
    expect(listPrincipals(files)).toMatchObject([operator])
  })

  it('needs the folder of a principals file that lies elsewhere', () => {
    const elsewhere = { ...files, principals: folder.path('etc/principals.json') }
    expect(() => makeFirstOperator(elsewhere)).toThrow(/^There is no folder \S+etc for the principals file; /)
    folder.write('etc/other', '')
    expect(makeFirstOperator(elsewhere)).toBe(files.operatorToken)
    expect(readdirSync(folder.path('etc')).sort()).toEqual([
      'other',
      'principals.json',
      'principals.json.lock',
    ])
  })
})

describe('a first start that was cut off', () => {
  const staged = () => `${files.operatorToken}.partial`

  it('before the principals file was in its place is done anew', () => {
    folder.write('data/operator.token.partial', `${makeToken()}\n`)
    chmodSync(staged(), 0o600)
    expect(makeFirstOperator(files)).toBe(files.operatorToken)
    expect(operatorInForce()).toMatchObject({ name: 'first' })
    expect(existsSync(staged())).toBe(false)
  })

  it('after that is completed, with the same token', () => {
    makeFirstOperator(files)
    const token = readFileSync(files.operatorToken, 'utf8')
    writeFileSync(staged(), token, { mode: 0o600 })
    rmSync(files.operatorToken)
    expect(makeFirstOperator(files)).toBe(files.operatorToken)
    expect(readFileSync(files.operatorToken, 'utf8')).toBe(token)
    expect(existsSync(staged())).toBe(false)
    expect(listPrincipals(files)).toHaveLength(1)
  })

  it('leaves a token of no principal, which is removed', () => {
    makeFirstOperator(files)
    rmSync(files.operatorToken)
    writeFileSync(staged(), `${makeToken()}\n`, { mode: 0o600 })
    expect(makeFirstOperator(files)).toBe(null)
    expect(readdirSync(folder.path('data')).sort()).toEqual(['principals.json', 'principals.json.lock'])
  })
})
