import { chmodSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { readToken } from './token.ts'

const token = 's3cret-of-sixteen'
const ignore = () => {}

describe('the access token', () => {
  it('is the content of the file without blanks and line ends around it', () => {
    using folder = temporaryFolder({ token: `  ${token}\r\n` })
    expect(readToken(folder.path('token'), {}, ignore)).toBe(token)
  })

  it('comes from the variable when there is no file', () => {
    expect(readToken(null, { PULSEWARD_TOKEN: token }, ignore)).toBe(token)
  })

  it('comes from the file when there are both', () => {
    using folder = temporaryFolder({ token: 'of-the-file-itself' })
    expect(readToken(folder.path('token'), { PULSEWARD_TOKEN: token }, ignore)).toBe('of-the-file-itself')
  })

  it('is none without file and variable', () => {
    expect(readToken(null, {}, ignore)).toBeNull()
    expect(readToken(null, { PULSEWARD_TOKEN: '' }, ignore)).toBeNull()
  })

  it('stops the start when its file cannot give one, also beside a variable', () => {
    using folder = temporaryFolder({ empty: '', blank: ' \n' })
    const read = (name: string) => () => readToken(folder.path(name), { PULSEWARD_TOKEN: token }, ignore)
    expect(read('none')).toThrow(`The token file ${folder.path('none')} does not exist.`)
    expect(read('empty')).toThrow(`The token file ${folder.path('empty')} is empty.`)
    expect(read('blank')).toThrow(`The token file ${folder.path('blank')} is empty.`)
    expect(read('.')).toThrow(/^The token file .* cannot be read \(EISDIR\)\.$/)
  })

  it.each([
    ['has two lines', `${token}\n${token}\n`, /has more than one line; it must hold one token alone\.$/],
    ['has spaces in it', 'correct horse battery', /has spaces in it; it must hold one token alone\.$/],
    ['is under 16 characters', '123456789012345', /fewer than 16 characters; make a longer one, for example/],
    ['is no visible ASCII', 'pässwörter-sind-das', /must hold one token of visible ASCII characters\.$/],
    ['is too long to be sent', 'x'.repeat(4_097), /more than 4096 characters; make a shorter one\.$/],
  ])('stops the start when it %s, without being shown', (_what, content, words) => {
    using folder = temporaryFolder({ token: content })
    const file = folder.path('token')
    for (const read of [
      () => readToken(file, {}, ignore),
      () => readToken(null, { PULSEWARD_TOKEN: content }, ignore),
    ]) {
      expect(read).toThrow(words)
      expect(read).not.toThrow(content.slice(0, 15))
    }
  })

  it.runIf(process.platform !== 'win32').each([
    [0o600, 0],
    [0o400, 0],
    [0o640, 1],
    [0o644, 1],
  ])('with mode %o is warned about %i times', (mode, count) => {
    using folder = temporaryFolder({ token })
    const file = folder.path('token')
    chmodSync(file, mode)
    const warnings: string[] = []
    expect(readToken(file, {}, (message) => warnings.push(message))).toBe(token)
    expect(warnings).toEqual(
      Array(count).fill(
        `The token file ${file} is open to other users (mode ${mode.toString(8)}); run chmod 600 on it.`,
      ),
    )
  })
  it.runIf(process.platform !== 'win32')(
    'is not warned about as a credential of systemd, however open',
    () => {
      using folder = temporaryFolder({ 'credentials/token': token, 'other/token': token })
      const environment = { CREDENTIALS_DIRECTORY: folder.path('credentials') }
      const warnings: string[] = []
      for (const name of ['credentials/token', 'other/token']) {
        chmodSync(folder.path(name), 0o440)
        readToken(folder.path(name), environment, (message) => warnings.push(message))
      }
      expect(warnings).toEqual([expect.stringContaining(folder.path('other/token'))])
    },
  )
})
