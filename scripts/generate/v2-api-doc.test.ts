import { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { v2ApiDoc } from './v2-api-doc.ts'

const page = (await v2ApiDoc()).get('docs/generated/v2-api.md')!
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!)

describe('the reference of v2', () => {
  it('has a section for every operation and every type', () => {
    const expected = [...v2.operationNames, ...Object.keys(v2.wireTypes)]
    expect(headings).toEqual(expect.arrayContaining(expected))
  })

  it('links only to sections that it has, none of them twice', () => {
    const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'))
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]!)
    expect(links.filter((link) => anchors.filter((anchor) => anchor === link).length !== 1)).toEqual([])
    expect(links.length).toBeGreaterThan(300)
  })

  it('tells fields with their types, and what a property is when it has no words of its own', () => {
    expect(page).toContain('| `check` | [CheckSpec](#checkspec) |')
    expect(page).toContain('| `drivers` | mapping of names to list of text |')
    expect(page).toContain('| `labels` | mapping of names to text of at most 256 characters |')
  })

  it('names the category of every error code', () => {
    for (const code of Object.keys(v2.problems))
      expect(page).toMatch(new RegExp(`^\\| \`${code}\` \\| \\d{3} \\|`, 'm'))
  })
})
