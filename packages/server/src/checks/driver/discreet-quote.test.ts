// A server's words are quoted as long as they repeat no secret.
import { expect, it } from 'vitest'
import { discreetQuote } from './discreet-quote.ts'

const hidden = 'something that repeats a secret'

it.each([
  ['no such table', 'p4ssw0rd', '"no such table"'],
  ['wrong: p4ssw0rd', 'p4ssw0rd', hidden],
  ['wrong: …ssw0…', 'p4ssw0rd', hidden],
  ['two\nlines', 'two lines', hidden],
  ['abc', 'abc', hidden],
  ['abd', 'abc', '"abd"'],
  ['anything', '', '"anything"'],
  ['anything', null, '"anything"'],
])('quotes %j beside the secret %j as %s', (text, secret, quoted) => {
  expect(discreetQuote(text, [secret])).toBe(quoted)
})
