// Whose side speaks when the system reports an error of a connection.
import { describe, expect, it } from 'vitest'
import { describeBrokenConnection, describeConnectError, isSystemError } from './connect-errors.ts'

const coded = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`read ${code}`), { code })

describe('an error of the system', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])('is an answer of the target: %s', (code) => {
    expect(describeBrokenConnection(coded(code), 'db:5432').evidence).toBe('target')
  })

  it.each([
    'ENETDOWN',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ETIMEDOUT',
    'ENOBUFS',
    'ENOMEM',
    'EMFILE',
    'ENFILE',
    'EADDRNOTAVAIL',
    'EPERM',
    'EACCES',
    'ECONNABORTED',
    'ENOTCONN',
    'EIO',
  ])('can be our own fault: %s', (code) => {
    const { evidence, message } = describeBrokenConnection(coded(code), 'db:5432')
    expect(evidence).toBe('local')
    expect(message).toContain('db:5432')
  })

  it('names the address where the target is named', () => {
    const { message } = describeConnectError(coded('ENETDOWN'), 'db', '10.0.0.9', 5432)
    expect(message).toBe('our network is down, so db:5432 (10.0.0.9) cannot be reached')
  })

  it('is told from the errors of TLS, HTTP and libraries by its code', () => {
    expect(['ENETDOWN', 'EPIPE', 'EIO'].every(isSystemError)).toBe(true)
    const others = ['ERR_SSL_WRONG_VERSION_NUMBER', 'HPE_INVALID_CONSTANT', 'WS_ERR_INVALID_OPCODE', '']
    expect(others.some(isSystemError)).toBe(false)
  })
})
