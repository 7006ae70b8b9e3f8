import { describe, expect, it } from 'vitest'
import { type Attempt, CrashResource, type SentResource, type ShownResource } from './crash-resource.ts'

const sent = (mark: string): SentResource => ({
  metadata: { id: 'shop', labels: { mark } },
  spec: { tags: [mark], value: 'hidden' },
})
const shown = (mark: string, resourceVersion: string): ShownResource => ({
  metadata: { id: 'shop', uid: 'u', resourceVersion, labels: { mark } },
  spec: { tags: [mark] },
})
const replace = (mark: string): Attempt => ({ verb: 'Replace', sent: sent(mark) })

function answeredOnce(): CrashResource {
  const resource = new CrashResource('Monitor', 'shop')
  resource.made({ verb: 'Create', sent: sent('one') }, '1.1')
  return resource
}

describe('a resource after a kill', () => {
  it('is as it was answered last, and its unanswered writes are absent', () => {
    const resource = answeredOnce()
    resource.open = [replace('two')]
    expect(resource.resolve(shown('one', '1.1'))).toEqual({ found: 0, wrong: [] })
  })

  it('is as an unanswered write wanted it, whole, and counts that as made', () => {
    const resource = answeredOnce()
    resource.open = [replace('two'), replace('three')]
    expect(resource.resolve(shown('three', '1.2'))).toEqual({ found: 1, wrong: [] })
    expect(resource.version).toBe('1.2')
  })

  it.each([
    ['an answered write is gone', null],
    ['an older version is back', shown('zero', '1.0')],
    ['the content under the answered version is another one', shown('two', '1.1')],
    ['an unanswered write is there in part', { ...shown('two', '1.2'), spec: {} }],
  ])('is wrong when %s', (_what, found) => {
    const resource = answeredOnce()
    resource.open = [replace('two')]
    expect(resource.resolve(found).wrong).toHaveLength(1)
  })

  it('is deleted by an unanswered deletion, and by nothing else', () => {
    const resource = answeredOnce()
    resource.open = [{ verb: 'Delete', sent: null }]
    expect(resource.resolve(null)).toEqual({ found: 1, wrong: [] })
    expect(resource.version).toBeNull()
  })
})

describe('the events of a resource', () => {
  const event = (kind: string, actor = 'first') => ({
    kind,
    actor,
    resource: { kind: 'Monitor', id: 'shop' },
  })

  it('are one for each write, with the actor, and end as the resource does', () => {
    const resource = answeredOnce()
    expect(resource.judgeEvents([event('resource_created')], 'first')).toEqual([])
    expect(resource.judgeEvents([], 'first')).toHaveLength(2)
    expect(resource.judgeEvents([event('resource_created', 'other')], 'first')).toHaveLength(1)
    expect(resource.judgeEvents([event('resource_deleted')], 'first')).toHaveLength(1)
  })
})
