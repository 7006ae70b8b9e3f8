import { describe, expect, it } from 'vitest'
import type { V2Requests, V2Write, WriteOutcome } from '../data/v2-request.ts'
import { nothingSaid } from './control-request.ts'
import { leftOutOf, openOperation } from './many-operation.ts'

const error = (field: string, reason: string) => ({ field, reason, message: 'is so' })
const disable = { verb: 'disable', chosen: { kind: 'named', names: new Map() } } as const
const namesOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [`m${index}`, `M ${index}`]))

/** Refuses monitors of files as the service does: a hundred at once. */
function service(isOfFile: (id: string) => boolean): { requests: V2Requests; sent: V2Write[] } {
  const sent: V2Write[] = []
  const write = async (asked: V2Write) => {
    sent.push(asked)
    const { ids } = (asked.body as { control: { ids: string[] } }).control
    const errors = ids
      .flatMap((id, index) => (isOfFile(id) ? [error(`/control/ids/${index}`, 'notAllowed')] : []))
      .slice(0, 100)
    if (errors.length > 0) return { kind: 'refused', status: 422, code: null, sentence: 'No.', errors }
    const body = { id: 'op', state: 'validated', itemCount: ids.length }
    return { kind: 'done', body, version: null }
  }
  const read = () => Promise.reject(new Error('nothing is read'))
  return { requests: { read, write: write as V2Requests['write'] }, sent }
}

describe('an operation over many monitors', () => {
  it('is opened without those that files manage, however many the service names at once', async () => {
    const { requests, sent } = service((id) => Number(id.slice(1)) % 2 === 0)
    const opened = await openOperation(requests, disable, namesOf(501), nothingSaid, 0)
    expect(opened).toMatchObject({ kind: 'opened', operation: { itemCount: 250 } })
    expect(opened.kind === 'opened' && opened.leftOut).toHaveLength(251)
    expect(sent).toHaveLength(4)
  })

  it('is opened for nobody when all come from files', async () => {
    const { requests } = service(() => true)
    const opened = await openOperation(requests, disable, namesOf(10_000), nothingSaid, 0)
    expect(opened.kind === 'none-left' && opened.leftOut).toHaveLength(10_000)
  })

  it('tells what else it was refused for, and leaves nobody out for that', () => {
    const refused: Pick<Extract<WriteOutcome<never>, { kind: 'refused' }>, 'errors'> = {
      errors: [error('/control/ids/1', 'notFound'), error('/control/reason', 'required')] as never,
    }
    expect(leftOutOf(refused, ['a', 'b'])).toEqual([])
    expect(leftOutOf({ errors: refused.errors.slice(0, 1) }, ['a', 'b'])).toEqual([{ id: 'b', why: 'gone' }])
  })
})
