import { expect, it } from 'vitest'
import { copyField } from './copy-rows.ts'

it.each([
  [null, '\\N'],
  ['', ''],
  ['\\N', '\\\\N'],
  ['a\tb\nc\rd\\', 'a\\tb\\nc\\rd\\\\'],
  [1.5, '1.5'],
  [false, 'false'],
  [Uint8Array.of(0, 255), '\\\\x00ff'],
])('writes %j as %j', (value, text) => {
  expect(copyField(value)).toBe(text)
})
