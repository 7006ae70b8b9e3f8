import { v2 } from '@pulseward/contract'
import { expect, it } from 'vitest'
import { pageMembers } from './page-members.ts'

type Incident = Pick<v2.Incident, 'monitorID' | 'acknowledgedBy'> & { readonly page?: string }

/** Answers with one list after the other. */
function members(...lists: readonly Incident[][]) {
  const progress: number[] = []
  const read = async (address: string) => {
    const number = Number(/cursor=(\d+)/.exec(address)?.[1] ?? 0)
    const items = lists[number]!.map(({ page, ...incident }) => ({
      ...incident,
      ...(page === undefined ? {} : { escalation: { id: page } }),
    }))
    const next = number + 1 < lists.length ? { nextCursor: String(number + 1) } : {}
    return { body: { items, ...next }, version: null } as never
  }
  const signal = new AbortController().signal
  return pageMembers('p', { read }, signal, (found) => progress.push(found)).then((names) => ({
    ids: names === null ? null : [...names.keys()],
    progress,
  }))
}

it('collects the incidents of one page that nobody has acknowledged, over all lists', async () => {
  const found = await members(
    [{ monitorID: 'a', page: 'p' }, { monitorID: 'b', page: 'other' }, { monitorID: 'c' }],
    [
      { monitorID: 'd', page: 'p', acknowledgedBy: 'bo' },
      { monitorID: 'e', page: 'p' },
    ],
  )
  expect(found).toEqual({ ids: ['a', 'e'], progress: [1, 2] })
})

it('collects all of them when the page has started again although each was acknowledged', async () => {
  const acknowledgedBy = 'bo'
  const { ids } = await members([
    { monitorID: 'a', page: 'p', acknowledgedBy },
    { monitorID: 'b', page: 'p', acknowledgedBy },
    { monitorID: 'c', page: 'other', acknowledgedBy },
  ])
  expect(ids).toEqual(['a', 'b'])
})

it('says so when there are more than one operation takes', async () => {
  const many = Array.from({ length: v2.limits.controlIDs + 1 }, (_, index) => ({
    monitorID: `m${index}`,
    page: 'p',
  }))
  expect((await members(many)).ids).toBeNull()
  expect((await members(many.slice(1))).ids).toHaveLength(v2.limits.controlIDs)
})
