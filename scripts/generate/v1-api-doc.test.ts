import { v1Operations } from '@pulseward/contract'
import { v1Api } from '@pulseward/contract/v1/api'
import { describe, expect, it } from 'vitest'
import { v1ApiDoc } from './v1-api-doc.ts'

const page = (await v1ApiDoc()).get('docs/generated/v1-api.md')!
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!)

describe('the reference of v1', () => {
  it('has a section for every route and every body', () => {
    const routes = Object.values(v1Operations).map(({ path }) => `GET ${path}`)
    expect(headings).toEqual(expect.arrayContaining([...routes, ...Object.keys(v1Api.schemas)]))
  })

  it('links only to sections that it has, none of them twice', () => {
    const anchors = headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]!)
    expect(links.filter((link) => anchors.filter((anchor) => anchor === link).length !== 1)).toEqual([])
    expect(links.length).toBeGreaterThan(100)
  })

  it('tells fields with their types, also nested and alike ones', () => {
    expect(page).toContain('| `verification` | [Verification](#verification), or `null` |')
    expect(page).toContain('| `storage.last_backup.at` | [Timestamp](#timestamp) | When it was made. |')
    expect(page).toContain('mapping of `pulse`, `intervention`, `code` to [Queue](#queue)')
    expect(page).toContain('| `by_pulse_type` | mapping of names to whole number, at least 0 |')
    expect(page).toContain('list of [PoolSample](#poolsample)')
  })

  it('leaves no field without a meaning', () => {
    const [, bodies] = page.split('\n## Bodies\n')
    const silent = bodies!.split('\n').filter((line) => /^\| `[^|]+\|[^|]+\|\s*\|$/.test(line))
    expect(silent).toEqual([])
  })
})
