import { expect, it } from 'vitest'
import { draftOf, withText } from './draft.ts'

it('keeps the last document that could be read while the text is wrong', () => {
  const draft = draftOf({ a: 1 })
  const broken = withText(draft, 'a: "')
  expect(broken.read.isRead).toBe(false)
  expect(broken.document).toEqual({ a: 1 })
  expect(broken.text).toBe('a: "')
  expect(withText(broken, 'a: 2').document).toEqual({ a: 2 })
})
