import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { readToken } from './token.ts'

describe('the access token', () => {
  it('is the content of the file without blanks and line ends around it', () => {
    using folder = temporaryFolder({ token: '  s3cret\r\n' })
    expect(readToken(folder.path('token'), {})).toBe('s3cret')
  })

  it('comes from the variable when there is no file', () => {
    expect(readToken(null, { PULSEWARD_TOKEN: 's3cret' })).toBe('s3cret')
  })

  it('comes from the file when there are both', () => {
    using folder = temporaryFolder({ token: 'of the file' })
    expect(readToken(folder.path('token'), { PULSEWARD_TOKEN: 'of the variable' })).toBe('of the file')
  })

  it('is none without file and variable', () => {
    expect(readToken(null, {})).toBeNull()
    expect(readToken(null, { PULSEWARD_TOKEN: '' })).toBeNull()
  })

  it('stops the start when its file cannot give one, also beside a variable', () => {
    using folder = temporaryFolder({ empty: '', blank: ' \n' })
    const read = (name: string) => () => readToken(folder.path(name), { PULSEWARD_TOKEN: 's3cret' })
    expect(read('none')).toThrow(`The token file ${folder.path('none')} does not exist.`)
    expect(read('empty')).toThrow(`The token file ${folder.path('empty')} is empty.`)
    expect(read('blank')).toThrow(`The token file ${folder.path('blank')} is empty.`)
    expect(read('.')).toThrow(/^The token file .* cannot be read \(EISDIR\)\.$/)
  })
})
