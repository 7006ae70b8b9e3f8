import { describe, expect, it } from 'vitest'
import { held } from './conformance/requirement.ts'
import { missingTests } from './conformance-doc.ts'

const sections = [
  { title: 'A', requirements: [held('a promise', 'api/a: holds it', 'api/b/c: is not there')] },
]

describe('a conformance table', () => {
  it('is refused with the names of tests that are gone', () => {
    const files: Record<string, string> = { 'packages/server/src/api/a.test.ts': "it('holds it', () => {})" }
    const read = (file: string) => {
      if (files[file] === undefined) throw new Error('no such file')
      return files[file]
    }
    expect(missingTests(sections, read)).toEqual(['packages/server/src/api/b/c.test.ts: is not there'])
    expect(missingTests(sections, () => 'holds it, is not there')).toEqual([])
  })
})
