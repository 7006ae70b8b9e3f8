// Where a service says that it listens, and who gets the token of its operator for that.
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileLock } from '../platform/file-lock.ts'
import { type DataDirectory, dataDirectory } from '../store/data-directory.ts'
import { makeFirstOperator } from './first-operator.ts'
import { findOperatorToken } from './local-operator.ts'
import { addressInFiles } from './service-address.ts'

const url = 'http://127.0.0.1:8060'
let folder: TemporaryFolder
let files: DataDirectory
let token: string
beforeEach(() => {
  folder = temporaryFolder()
  files = dataDirectory(folder.path('data'))
  makeFirstOperator(files)
  token = readFileSync(files.operatorToken, 'utf8').trim()
})
afterEach(() => folder[Symbol.dispose]())

describe('the address of a service', () => {
  it('is told while the service runs, in a file for the owner alone', () => {
    expect(addressInFiles(files).read()).toBe(null)
    {
      using _record = addressInFiles(files).record(url)
      expect(addressInFiles(files).read()).toBe(url)
      if (process.platform !== 'win32') expect(statSync(files.address).mode & 0o777).toBe(0o600)
    }
    expect(addressInFiles(files).read()).toBe(null)
    expect(existsSync(files.address)).toBe(false)
  })

  it('that a killed process left is not told, even while another process owns the directory', () => {
    writeFileSync(files.address, `${url}\n`, { mode: 0o600 })
    expect(addressInFiles(files).read()).toBe(null)
    using _owner = new FileLock(files.ownerLock)
    expect(addressInFiles(files).read()).toBe(null)
  })

  it('replaces the one that a killed process left', () => {
    writeFileSync(files.address, 'http://127.0.0.1:9\n', { mode: 0o600 })
    using _record = addressInFiles(files).record(url)
    expect(addressInFiles(files).read()).toBe(url)
  })
})

describe('the token of the operator', () => {
  it('is found for the address of the service and for no other', () => {
    expect(findOperatorToken(files.root, url)).toEqual({ kind: 'none', listensAt: null })
    using _record = addressInFiles(files).record(url)
    expect(findOperatorToken(files.root, url)).toEqual({ kind: 'found', token, file: files.operatorToken })
    for (const other of ['http://127.0.0.1:8061', 'https://127.0.0.1:8060', 'http://[::1]:8060', 'x', ''])
      expect(findOperatorToken(files.root, other)).toEqual({ kind: 'none', listensAt: url })
    expect(findOperatorToken(folder.path('other'), url)).toEqual({ kind: 'none', listensAt: null })
  })

  it('is found by the port that a scheme has anyway', () => {
    using _record = addressInFiles(files).record('http://127.0.0.1:80')
    expect(findOperatorToken(files.root, 'http://127.0.0.1').kind).toBe('found')
  })

  it('is not found when it was revoked, or when something else stands in its file', () => {
    using _record = addressInFiles(files).record(url)
    writeFileSync(files.operatorToken, 'a-secret-of-something-else\n')
    expect(findOperatorToken(files.root, url)).toEqual({ kind: 'none', listensAt: null })
    rmSync(files.operatorToken)
    expect(findOperatorToken(files.root, url)).toEqual({ kind: 'none', listensAt: null })
  })

  it.runIf(process.platform !== 'win32')('is not read through a link', () => {
    using _record = addressInFiles(files).record(url)
    renameSync(files.operatorToken, folder.path('elsewhere'))
    symlinkSync(folder.path('elsewhere'), files.operatorToken)
    expect(findOperatorToken(files.root, url)).toEqual({ kind: 'none', listensAt: null })
  })

  it.runIf(process.platform !== 'win32')('is found through a link to the directory', () => {
    using _record = addressInFiles(files).record(url)
    symlinkSync(files.root, folder.path('link'))
    expect(findOperatorToken(folder.path('link'), url).kind).toBe('found')
  })

  it.runIf(process.platform !== 'win32')('is not used where other users can write, and it says so', () => {
    using _record = addressInFiles(files).record(url)
    chmodSync(files.root, 0o770)
    expect(findOperatorToken(files.root, url)).toEqual({
      kind: 'refused',
      why: `Other users can write to the data directory ${files.root}; run chmod 700 on it.`,
    })
    chmodSync(files.root, 0o700)
    chmodSync(files.operatorToken, 0o644)
    expect(findOperatorToken(files.root, url)).toEqual({
      kind: 'refused',
      why: `${files.operatorToken} is open to other users (mode 644); run chmod 600 on it.`,
    })
  })

  it.runIf(process.platform !== 'win32')('is not taken from the directory of another user', () => {
    using _record = addressInFiles(files).record(url)
    const { uid } = statSync(files.root)
    const another = uid + 1
    expect(findOperatorToken(files.root, url, another)).toEqual({
      kind: 'refused',
      why: `The data directory ${files.root} belongs to another user.`,
    })
    expect(findOperatorToken(files.root, url, 0).kind).toBe('found')
  })
})
