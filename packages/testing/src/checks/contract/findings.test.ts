// What the contract takes for a fault in the words of a driver, and for a secret in them.

import { failure, success } from '@pulseward/server/internal/checks/driver.ts'
import { describe, expect, it } from 'vitest'
import { fails, succeeds } from '../scenarios.ts'
import { outcomeFindings } from './outcome-findings.ts'
import { revealsSecret } from './secret-findings.ts'

describe('outcomeFindings', () => {
  const findingsOf = (reason: string) =>
    outcomeFindings({ kind: 'gave', outcome: failure(1, reason) }, fails({}))

  it.each([
    'connection refused by [::1]:80',
    'the body is not JSON: "<html>…"',
    'the certificate of "Error and Sons" expired on 2026-01-02',
  ])('finds nothing wrong with %s', (reason) => {
    expect(findingsOf(reason)).toEqual([])
  })

  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['word '.repeat(100), 'is 500 characters long'],
    ['two\nlines', 'is not one line of plain text'],
    ['a \u001b[31mcolor', 'is not one line of plain text'],
    ['Error: connect ECONNREFUSED', 'shows an error of a program'],
    ['TypeError [ERR_INVALID_ARG]: x', 'shows an error of a program'],
    ['no answer from undefined', 'holds a value that no person wrote'],
    ['it took NaN ms', 'holds a value that no person wrote'],
    ['the answer is [object Object]', 'holds a value that no person wrote'],
  ])('finds that %j %s', (reason, fault) => {
    expect(findingsOf(reason)).toEqual([`gives a reason that ${fault}: ${reason}`])
  })

  it('looks at warnings too, and wants no reason for a success', () => {
    const outcome = { ...success(1), warning: 'it took\n1 s', reason: 'fine' }
    expect(outcomeFindings({ kind: 'gave', outcome }, succeeds({}))).toEqual([
      'gives a reason for a success',
      'gives a warning that is not one line of plain text: it took\n1 s',
    ])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a word', 'up'],
    ['another shape', { ok: true }],
    ['an unknown status', { ...success(1), status: 'up' }],
    ['an unknown evidence', { ...success(1), evidence: 'both' }],
    ['a latency that is not a number', success(Number.NaN)],
    ['a negative latency', success(-1)],
    ['a reason that is not a text', { ...success(1), reason: new Error('x') }],
  ])('takes %s for no outcome', (_, outcome) => {
    expect(outcomeFindings({ kind: 'gave', outcome }, succeeds({}))).toEqual([
      `gives no outcome: ${JSON.stringify(outcome)}`,
    ])
  })
})

describe('revealsSecret', () => {
  const secret = 'correct horse\nbattery staple'
  const basic = Buffer.from(`ward:${secret}`)

  it.each([
    ['whole', `the server said ${secret}`],
    ['on one line', 'the server said "correct horse battery staple"'],
    ['cut at its end', 'the server said "-ERR correct h…"'],
    ['cut at its beginning', '…ery staple is wrong'],
    ['in base64', `refused: Basic ${basic.toString('base64')}`],
    ['in base64 for URLs', `refused: ${basic.toString('base64url')}`],
    ['in hexadecimal', `refused: ${Buffer.from(secret).toString('hex')}`],
    ['in a URL', `no such page: /login?with=${encodeURIComponent(secret)}`],
  ])('sees a secret %s', (_, text) => {
    expect(revealsSecret(text, [secret])).toBe(true)
  })

  it.each(['', 'connection refused by 127.0.0.1:80', 'the horse is correct', 'no staple left'])(
    'sees none in %j',
    (text) => expect(revealsSecret(text, [secret])).toBe(false),
  )

  it('sees a short secret only as a whole', () => {
    expect(revealsSecret('the pin is 0451', ['0451'])).toBe(true)
    expect(revealsSecret('the pin is 045', ['0451'])).toBe(false)
  })
})
