import { Compile } from 'typebox/compile'
import { expect, it } from 'vitest'
import { OutboundHeaders } from './outbound-headers.ts'

const headers = Compile(OutboundHeaders)

it('takes open values and credentials', () => {
  expect(headers.Check({ 'X-Key': 'open', Authorization: { credential: 'KEY' } })).toBe(true)
})

it.each(['Content-Length', 'transfer-encoding', 'Connection', 'Expect', 'a b', 'a:b', 'a\r\nb', ''])(
  'refuses the header %j',
  (name) => {
    expect(headers.Check({ [name]: '1' })).toBe(false)
  },
)

it.each(['key\n', 'a\r\nx-evil: 1', 'a\0', '\u007f'])('refuses the value %j', (value) => {
  expect(headers.Check({ 'X-Key': value })).toBe(false)
})
