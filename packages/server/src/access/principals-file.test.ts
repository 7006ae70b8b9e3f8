import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describeUnless, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { FileLock } from '../platform/file-lock.ts'
import { lockPrincipals, readPrincipals, writePrincipals } from './principals-file.ts'
import { formatPrincipals, type Principal } from './principals-format.ts'
import { digestOf } from './token.ts'

const isUnix = process.platform !== 'win32'
const principal = (name: string): Principal => ({
  name,
  role: 'operator',
  digest: digestOf(name),
  expiresMs: null,
  jobTypes: [],
})
const problemOf = (file: string) => {
  const reading = readPrincipals(file)
  return reading.kind === 'read' ? null : `${reading.kind}: ${reading.problem}`
}

describe('a principals file on disk', () => {
  it('is read as it was written, for its owner alone and with nothing beside it', () => {
    using folder = temporaryFolder()
    const file = folder.path('principals.json')
    writePrincipals(file, [principal('ann')])
    writePrincipals(file, [principal('ann'), principal('bob')])
    expect(readPrincipals(file)).toEqual({
      kind: 'read',
      principals: [principal('ann'), principal('bob')],
    })
    expect(readdirSync(folder.root)).toEqual(['principals.json'])
    if (isUnix) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('that does not exist is missing', () => {
    using folder = temporaryFolder()
    const file = folder.path('principals.json')
    expect(problemOf(file)).toBe(`missing: The principals file ${file} does not exist.`)
  })

  it.runIf(isUnix).each([0o640, 0o604, 0o620, 0o601, 0o777])('with mode %o is not used', (mode) => {
    using folder = temporaryFolder({ 'principals.json': formatPrincipals([]) })
    const file = folder.path('principals.json')
    chmodSync(file, mode)
    expect(problemOf(file)).toBe(
      `unusable: The principals file ${file} is open to other users (mode ${mode.toString(8)}); run chmod 600 on it.`,
    )
    chmodSync(file, 0o400)
    expect(problemOf(file)).toBe(null)
  })

  it('is not used when it has a mistake, and five of its mistakes are shown', () => {
    using folder = temporaryFolder({
      few: '{"version": 1, "principals": [17]}',
      many: JSON.stringify({ version: 1, principals: Array(20).fill(17) }),
    })
    for (const name of ['few', 'many']) chmodSync(folder.path(name), 0o600)
    expect(problemOf(folder.path('few'))).toBe(
      `unusable: The principals file ${folder.path('few')} is not valid: principals[0]: must be an object with name, role and digest.`,
    )
    expect(problemOf(folder.path('many'))).toMatch(
      /principals\[4\]: must be [^.]*\. Mistakes that are not shown: 15\.$/,
    )
  })

  it('is not used when it has more than 1 MiB', () => {
    using folder = temporaryFolder({ 'principals.json': ' '.repeat(1_048_577) })
    const file = folder.path('principals.json')
    chmodSync(file, 0o600)
    expect(problemOf(file)).toBe(`unusable: The principals file ${file} has more than 1 MiB.`)
  })

  it('is not written when it would have more than 1 MiB', () => {
    using folder = temporaryFolder()
    const file = folder.path('principals.json')
    writePrincipals(file, [principal('ann')])
    const many = Array.from({ length: 10_000 }, (_, index) => principal(`p-${index}`))
    expect(() => writePrincipals(file, many)).toThrow(
      / would have more than 1 MiB; revoke what is not needed/,
    )
    expect(readPrincipals(file)).toEqual({ kind: 'read', principals: [principal('ann')] })
  })

  it('is not used when it is a folder', () => {
    using folder = temporaryFolder()
    mkdirSync(folder.path('principals.json'), { mode: 0o700 })
    expect(problemOf(folder.path('principals.json'))).toMatch(/ (is not a file|cannot be read \(E\w+\))\.$/)
  })

  it.runIf(isUnix)('is not waited for when it is a pipe', () => {
    using folder = temporaryFolder()
    const file = folder.path('principals.json')
    execFileSync('mkfifo', ['-m', '600', file])
    expect(problemOf(file)).toBe(`unusable: The principals file ${file} is not a file.`)
  })

  it.runIf(isUnix)('may be a link, which stays when the file is replaced', () => {
    using folder = temporaryFolder()
    mkdirSync(folder.path('secrets'))
    symlinkSync('secrets/real.json', folder.path('principals.json'))
    const file = folder.path('principals.json')
    expect(problemOf(file)).toBe(
      `unusable: The principals file ${file} is a link to a file that does not exist.`,
    )
    writePrincipals(folder.path('secrets/real.json'), [])
    {
      using _lock = lockPrincipals(file)
      writePrincipals(file, [principal('ann')])
    }
    expect(readPrincipals(folder.path('secrets/real.json'))).toMatchObject({
      principals: [{ name: 'ann' }],
    })
    expect(readdirSync(folder.root).sort()).toEqual(['principals.json', 'secrets'])
  })

  it('is written over what a killed process left half written', () => {
    using folder = temporaryFolder({ 'principals.json.partial': '{"version": 1, "princip' })
    const file = folder.path('principals.json')
    chmodSync(folder.path('principals.json.partial'), 0o644)
    writePrincipals(file, [principal('ann')])
    expect(problemOf(file)).toBe(null)
    expect(readdirSync(folder.root)).toEqual(['principals.json'])
  })
})

const whyNotRoot = process.getuid?.() === 0 ? null : 'only root can give files away; run this test as root'
describeUnless(whyNotRoot, 'a principals file that root writes', () => {
  it('belongs to the owner of the file before it, or of its folder, and so does its lock', () => {
    using folder = temporaryFolder()
    mkdirSync(folder.path('data'))
    chownSync(folder.path('data'), 1234, 1235)
    const file = folder.path('data/principals.json')
    {
      using _lock = lockPrincipals(file)
      writePrincipals(file, [])
    }
    for (const name of [file, `${file}.lock`]) expect(statSync(name)).toMatchObject({ uid: 1234, gid: 1235 })
    chownSync(file, 4321, 4322)
    writePrincipals(file, [principal('ann')])
    expect(statSync(file)).toMatchObject({ uid: 4321, gid: 4322 })
  })
})

describe('the lock of a principals file', () => {
  it('is held by one alone and free again afterwards', () => {
    using folder = temporaryFolder()
    const file = folder.path('principals.json')
    {
      using _lock = lockPrincipals(file)
      expect(() => lockPrincipals(file, 20)).toThrow(
        `Another process is changing ${file} and did not finish within 20 ms; try again.`,
      )
    }
    lockPrincipals(file, 0)[Symbol.dispose]()
  })

  it('is not the lock of the service on its data directory', () => {
    using folder = temporaryFolder()
    using _service = new FileLock(folder.path('owner.lock'))
    lockPrincipals(folder.path('principals.json'), 0)[Symbol.dispose]()
  })

  it('needs a folder for the file', () => {
    using folder = temporaryFolder()
    expect(() => lockPrincipals(folder.path('none/principals.json'))).toThrow(
      `There is no folder ${folder.path('none')} for the principals file; name another, or make it with mkdir -m 700.`,
    )
  })

  it('says when it cannot be made', () => {
    using folder = temporaryFolder({ data: '' })
    writeFileSync(folder.path('data'), 'a file')
    expect(() => lockPrincipals(folder.path('data/principals.json'))).toThrow(
      /^The data directory cannot be read or written\. \(ENOTDIR/,
    )
    expect(readFileSync(folder.path('data'), 'utf8')).toBe('a file')
  })
})
