// SCRAM against the examples of its specifications, and against servers that do not keep to it.
import { describe, expect, it } from 'vitest'
import { Scram } from './scram.ts'

describe('Scram', () => {
  it('proves the password as in the example of RFC 5802 (SHA-1)', async () => {
    const scram = new Scram('sha1', 'user', 'pencil', 'fyko+d2lbbFgONRv9qkxdawL')
    expect(scram.first()).toBe('n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL')
    const nonce = 'fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j'
    expect(await scram.final(`r=${nonce},s=QSXCR+Q6sek8bf92,i=4096`)).toBe(
      `c=biws,r=${nonce},p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=`,
    )
    expect(scram.isProof('v=rmF9pqV8S7suAoZWja4dJRkFsKQ=')).toBe(true)
  })

  it('proves the password as in the example of RFC 7677 (SHA-256)', async () => {
    const scram = new Scram('sha256', 'user', 'pencil', 'rOprNGfwEbeRWgbNEkqO')
    const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0'
    expect(await scram.final(`r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`)).toBe(
      `c=biws,r=${nonce},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`,
    )
    expect(scram.isProof('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')).toBe(true)
    expect(scram.isProof('v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')).toBe(false)
    expect(scram.isProof('e=other-error')).toBe(false)
  })

  it('takes no proof before its own', () => {
    expect(new Scram('sha256', 'user', 'pencil').isProof('v=')).toBe(false)
  })

  it('writes names that hold its own marks', () => {
    expect(new Scram('sha256', 'a=b,c', 'x', 'nonce').first()).toBe('n,,n=a=3Db=2Cc,r=nonce')
  })

  it.each([
    ['a nonce that is not ours', 'r=other,s=c2FsdA==,i=4096'],
    ['our nonce alone', 'r=nonce,s=c2FsdA==,i=4096'],
    ['no iterations', 'r=nonce1,s=c2FsdA==,i=0'],
    ['more work than a check may cost', 'r=nonce1,s=c2FsdA==,i=200001'],
    ['a salt that is none', 'r=nonce1,s=%%%,i=4096'],
    ['an extension', 'm=x,r=nonce1,s=c2FsdA==,i=4096'],
    ['nothing', ''],
  ])('answers nothing to %s', async (_, message) => {
    expect(await new Scram('sha256', 'user', 'pencil', 'nonce').final(message)).toBeNull()
  })
})
