// The vectors are those of the Signature Version 4 test suite and documentation that AWS published.
import { expect, it } from 'vitest'
import { signingKey, signV4 } from './signature-v4.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const scope = { region: 'us-east-1', service: 'service' }
const nowMs = Date.UTC(2015, 7, 30, 12, 36, 0)
const host = 'example.amazonaws.com'
const sessionToken =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

it.each([
  [
    'get-vanilla',
    'GET',
    { host },
    '',
    null,
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'post-vanilla',
    'POST',
    { host },
    '',
    null,
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-x-www-form-urlencoded',
    'POST',
    { 'content-type': 'application/x-www-form-urlencoded', host },
    'Param1=value1',
    null,
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  [
    'post-header-value-case',
    'POST',
    { host, 'my-header1': 'VALUE1' },
    '',
    null,
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'post-sts-header-before',
    'POST',
    { host },
    '',
    sessionToken,
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
] as const)('signs %s as AWS does', (_, method, headers, body, token, signature) => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret, sessionToken: token }
  const signed = signV4({ method, headers, body }, credentials, scope, nowMs)
  expect(signed['x-amz-date']).toBe('20150830T123600Z')
  const names = [...Object.keys(headers), 'x-amz-date', ...(token === null ? [] : ['x-amz-security-token'])]
  expect(signed['authorization']).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  )
})

it('derives the key of the documentation', () => {
  expect(signingKey(secret, '20150830', 'us-east-1', 'iam').toString('hex')).toBe(
    'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9',
  )
})
