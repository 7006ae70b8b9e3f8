import { NotFoundError, type PulsewardError, TransportError, UnavailableError } from '@pulseward/client'
import { describe, expect, it } from 'vitest'
import { readAgain } from './try-again.ts'

const operation = 'getMonitor'
const timeout = new TransportError('got no whole answer in time', { operation, reason: 'timeout' })
const overloaded = new UnavailableError('cannot answer now', { operation, statusCode: 503 })
const unreachable = new TransportError('could not connect', { operation, reason: 'connectionFailed' })
const absent = new NotFoundError('is not there', { operation, statusCode: 404 })

/** A read that fails with these errors, one after the other, and then succeeds. */
function failing(...errors: readonly PulsewardError[]) {
  const left = [...errors]
  const seen = { reads: 0 }
  const read = async () => {
    seen.reads++
    const error = left.shift()
    if (error !== undefined) throw error
    return 'read'
  }
  return { read, seen }
}

describe.concurrent('a read of many', () => {
  it('is tried again when the service is slow or has too much to do', async () => {
    const { read, seen } = failing(timeout, overloaded)
    expect(await readAgain(undefined, read)).toBe('read')
    expect(seen.reads).toBe(3)
  })

  it('is given up after the fourth time', async () => {
    const { read, seen } = failing(timeout, timeout, timeout, timeout)
    await expect(readAgain(undefined, read)).rejects.toBe(timeout)
    expect(seen.reads).toBe(4)
  })

  it.each([
    ['the service is not there', unreachable],
    ['the service says that there is no such thing', absent],
  ])('is not tried again when %s', async (_, error) => {
    const { read, seen } = failing(error)
    await expect(readAgain(undefined, read)).rejects.toBe(error)
    expect(seen.reads).toBe(1)
  })

  it('is not tried again after a person stopped the command, nor waited for', async () => {
    const person = new AbortController()
    const patient = new UnavailableError('cannot answer now', { operation, retryAfter: 3_600 })
    const { read, seen } = failing(patient, patient)
    const reading = readAgain(person.signal, read)
    person.abort()
    await expect(reading).rejects.toBe(patient)
    expect(seen.reads).toBe(1)
  })
})
