import { expect, it } from 'vitest'
import { type Mark, marksOfLeft, sentenceOf } from './marks.ts'

it.each([
  ['must not be empty', 'it must not be empty.'],
  ['there is no endpoint "opz". Did you mean "ops"?', 'there is no endpoint "opz". Did you mean "ops"?'],
  ['"500ms" is too short; write 1s or more', '"500ms" is too short; write 1s or more.'],
])('the message %j is the sentence %j', (message, sentence) => {
  expect(sentenceOf(message)).toBe(sentence)
})

it('shows the mistakes of fields that were left, and all warnings', () => {
  const mark = (pointer: string | null, level: Mark['level'] = 'mistake'): Mark => ({
    level,
    pointer,
    line: 1,
    message: 'is wrong',
  })
  const host = mark('/spec/check/driver/config/host')
  const inTags = mark('/spec/tags/0')
  const others = [mark('/spec/check/driver/config/hosts'), mark('/metadata/id')]
  const always = [mark(null), mark('/spec/check', 'warning')]
  const left = ['/spec/check/driver/config/host', '/spec/tags']
  expect(marksOfLeft([...others, ...always, host, inTags], left)).toEqual([...always, host, inTags])
})
