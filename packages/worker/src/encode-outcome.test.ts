import { describe, expect, it } from 'vitest'
import { encodeOutcome } from './encode-outcome.ts'
import { failure, rejected, success } from './index.ts'
import type { AnyOutcome } from './outcomes.ts'

const execution = { executionID: 'exe-1', grantID: 'grant-1', kind: 'check' } as const
const encode = (outcome: AnyOutcome, credential?: string) =>
  JSON.parse(encodeOutcome(execution, outcome, credential))

describe('an outcome', () => {
  it('has nothing that the handler did not say', () => {
    expect(encode(success({ latencyMs: 3 }))).toEqual({
      ...execution,
      status: 'success',
      data: { latencyMs: 3 },
    })
  })

  it.each([
    ['x', 65_536, 65_536],
    ['x', 65_537, 65_536],
    ['€', 30_000, 65_535],
    ['😀', 20_000, 65_536],
  ])('with a diagnostic of %s × %i is cut between characters and says so', (character, count, bytes) => {
    const { diagnostic, diagnosticTruncated } = encode(failure(character.repeat(count)))
    expect(Buffer.byteLength(diagnostic)).toBe(bytes)
    expect(diagnostic).toBe(character.repeat([...diagnostic].length))
    expect(diagnosticTruncated).toBe(character.repeat(count) !== diagnostic)
  })

  it('with too much evidence keeps what fits and says what is gone', () => {
    const evidence = ['ä'.repeat(3_000), ...Array.from({ length: 70 }, (_, index) => `entry ${index}`)]
    const encoded = encode(failure('it is down', { evidence }))
    expect(encoded.evidence).toHaveLength(64)
    expect(Buffer.byteLength(encoded.evidence[0])).toBe(4_096)
    expect(encoded.diagnostic).toBe(
      'it is down\n7 entries of the evidence were left out: at most 64 are kept. 1 entries of the evidence were cut at 4096 bytes.',
    )
  })

  it('never holds the secret of its job', () => {
    const secret = 'pa"ss\\word'
    const text = encodeOutcome(
      execution,
      failure(`wrong ${secret}`, { evidence: [secret], data: { list: [{ said: `${secret}!` }] } }),
      secret,
    )
    expect(JSON.parse(text)).toMatchObject({
      diagnostic: 'wrong [REDACTED]',
      evidence: ['[REDACTED]'],
      data: { list: [{ said: '[REDACTED]!' }] },
    })
  })

  it.each<[string, unknown, string]>([
    ['too large', success('x'.repeat(1_100_000)), 'larger than 1048576 bytes'],
    ['not JSON', success(1n), 'cannot be written as JSON'],
    ['of another kind', rejected('no'), 'not an outcome of a check'],
    ['nothing', undefined, 'not an outcome of a check'],
    ['a text', 'fine', 'not an outcome of a check'],
  ])('that is %s becomes one without data that says why', (_, outcome, sentence) => {
    const encoded = encode(outcome as AnyOutcome)
    expect(encoded).toMatchObject({ status: 'noData', diagnostic: expect.stringContaining(sentence) })
    expect(encoded).not.toHaveProperty('data')
  })
})
