import { expect, it } from 'vitest'
import { itemMessage, mistakesInItemMessage } from './item-message.ts'

const mistakes = [
  {
    field: '/spec/check/driver/config/a key',
    message: 'the key "a key" is unknown; allowed: url. Try /spec.',
  },
  { field: '/spec/dependsOn/0', message: 'there is no monitor "shpo". Did you mean "shop"?' },
  { field: '/metadata/id', message: 'must be short.' },
]

it('holds every mistake, and gives each back', () => {
  const message = itemMessage('a b.yaml:1', mistakes)
  expect(message).toBe(
    'a b.yaml:1: /spec/check/driver/config/a key: the key "a key" is unknown; allowed: url. Try /spec. /spec/dependsOn/0: there is no monitor "shpo". Did you mean "shop"? /metadata/id: must be short.',
  )
  expect(mistakesInItemMessage('a b.yaml:1', message)?.map((one) => ({ ...one }))).toEqual(mistakes)
})

it('ends every mistake as a sentence', () => {
  expect(itemMessage('a:1', [{ field: '/spec', message: 'is wrong' }])).toBe('a:1: /spec: is wrong.')
})

it.each(['something else', 'b:1: /spec: is wrong.', 'a:1: the whole item is wrong.'])(
  'is not %s',
  (message) => {
    expect(mistakesInItemMessage('a:1', message)).toBeNull()
  },
)
