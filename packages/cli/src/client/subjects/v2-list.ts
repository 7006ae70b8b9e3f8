// client/subjects/v2-list.ts: v2 lists as `pulseward get` shows them: one page by default, every page with
// --all, or one resource by its id.
import type { CallOptions, Client, ListMethod, Response } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../../arguments.ts'
import { given, oneOfWords, switchValue, wholeNumber } from '../flag-values.ts'
import { existingMonitor } from '../named-monitor.ts'
import { everyRow, type ListArguments, type Page } from '../pages.ts'
import { type Block, type Column, note, table } from '../table/block.ts'
import { type Subject, subject } from './subject.ts'

interface ListSubject<Row> {
  readonly aliases: readonly string[]
  readonly summary: string
  readonly operations: readonly string[]
  /** `monitor` is left out if rows of this kind belong to no monitor. */
  readonly filters: readonly ('selector' | 'monitor' | 'state')[]
  readonly columns: readonly Column<Row>[]
  readonly empty: string
  method(client: Client): ListMethod<ListArguments, Page<Row>>
  /** Reads a single one; absent if rows have no id to ask for. */
  one?(client: Client, id: string, options: CallOptions): Promise<Response<Row>>
  /** What is shown below the row of a single one. */
  more?(row: Row): readonly Block[]
}

export function listSubject<Row extends object>(list: ListSubject<Row>): Subject {
  const { aliases, summary, operations, columns, empty, one } = list
  return subject<Page<Row> | Row>({
    aliases,
    summary,
    operations,
    version: 'v2',
    id: one === undefined ? 'none' : 'optional',
    filters: [...list.filters, 'limit', 'cursor', 'all'],
    prepare(parsed, id) {
      if (one !== undefined && id !== '')
        return async (client, options) => (await one(client, id, options)).data
      const query = queryOf(parsed)
      const wantsAll = switchValue(parsed, 'all')
      if (wantsAll && query.cursor !== undefined)
        throw new UsageError('--all and --cursor exclude each other.')
      const named = lastValue(parsed, 'monitor')
      return async (client, options) => {
        const method = list.method(client)
        const monitorID = named === null ? null : await existingMonitor(client, named, options)
        const asked = { ...query, ...given({ monitorID }) }
        if (!wantsAll) return (await method(asked, options)).data
        const every = { limit: v2.limits.listLimit, ...asked }
        return { items: await Array.fromAsync(everyRow(method, every, options)) }
      }
    },
    blocks(data) {
      const page: Page<Row> = 'items' in data ? data : { items: [data] }
      const more = 'items' in data ? [] : (list.more?.(data) ?? [])
      return [table(columns, page.items, { empty }), ...more, ...moreNote(page)]
    },
  })
}

function queryOf(parsed: ParsedArguments): ListArguments {
  const selector = lastValue(parsed, 'selector')
  const read = v2.parseSelector(selector ?? '')
  if ('mistake' in read) throw new UsageError(`--selector ${read.mistake}.`)
  const state = oneOfWords(parsed, 'state', v2.operationStates)
  return { ...pageQuery(parsed), ...given({ selector, state }) }
}

export function pageQuery(parsed: ParsedArguments): Pick<ListArguments, 'cursor' | 'limit'> {
  return given({
    limit: wholeNumber(parsed, 'limit', { minimum: 1, maximum: v2.limits.listLimit }),
    cursor: lastValue(parsed, 'cursor'),
  })
}

function moreNote({ nextCursor }: Page<unknown>): Block[] {
  return nextCursor === undefined ? [] : [note(`There is more: --all, or --cursor ${nextCursor}`)]
}
