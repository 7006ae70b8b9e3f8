// views/monitors/filter-state.ts: the state of the list in the URL. Any URL becomes a state that the API
// accepts; defaults are left out, so that equal lists have equal links.
import { v1Limits } from '@pulseward/contract'
import type { MonitorFilter, MonitorOrder } from '../../data/monitors.ts'
import { orderOf, troubleFirst } from './columns.ts'

export interface FilterState {
  readonly q: string
  readonly status: string
  readonly type: string
  readonly code: string
  /** Only monitors that tell nobody. */
  readonly tells_nobody: boolean
  readonly tag: string
  /** As `key=value`, or a key alone. */
  readonly label: string
  /** The name of a destination. */
  readonly told: string
  /** The name of a group of destinations. */
  readonly group: string
  readonly sort: MonitorOrder
  readonly page: number
  readonly size: number
}

export const pageSizes = [50, 100, 250, v1Limits.sizeCap] as const

export const noFilter: FilterState = {
  q: '',
  status: '',
  type: '',
  code: '',
  tells_nobody: false,
  tag: '',
  label: '',
  told: '',
  group: '',
  sort: troubleFirst,
  page: 1,
  size: 100,
}

/** More than any page of any fleet, and still a safe integer. */
const largestPage = 2 ** 32

export function filterStateOf(search: string): FilterState {
  const query = new URLSearchParams(search)
  const text = (name: string) => query.get(name) ?? ''
  return {
    q: text('q'),
    status: text('status').toLowerCase(),
    type: text('type').toLowerCase(),
    code: text('code').toLowerCase(),
    tells_nobody: text('tells_nobody') === 'true',
    tag: text('tag'),
    label: text('label'),
    told: text('told'),
    group: text('group'),
    sort: orderOf(query.get('sort')),
    page: wholeNumber(query.get('page'), noFilter.page, largestPage),
    size: wholeNumber(query.get('size'), noFilter.size, v1Limits.sizeCap),
  }
}

/** Starts with a question mark, or is empty. */
export function searchOf(state: FilterState): string {
  const query = new URLSearchParams()
  for (const name of ['q', 'status', 'type', 'code', 'tag', 'label', 'told', 'group'] as const)
    if (state[name] !== '') query.set(name, state[name])
  if (state.tells_nobody) query.set('tells_nobody', 'true')
  for (const name of ['sort', 'size', 'page'] as const)
    if (state[name] !== noFilter[name]) query.set(name, String(state[name]))
  return query.size === 0 ? '' : `?${query}`
}

/** Returns to the first page, since another filter or size shows other rows on every page. */
export function changed(state: FilterState, change: Partial<FilterState>): FilterState {
  return { ...state, page: noFilter.page, ...change }
}

export function isFiltered({ q, status, ...more }: FilterState): boolean {
  return q !== '' || status !== '' || furtherFilters(more) > 0
}

/** How many filters are in force besides the name and the status, which are always in sight. */
export function furtherFilters({
  type,
  code,
  tag,
  label,
  told,
  group,
  tells_nobody,
}: Omit<FilterState, 'q' | 'status'>): number {
  return [type, code, tag, label, told, group].filter((text) => text !== '').length + (tells_nobody ? 1 : 0)
}

/** The filter as the API takes it. The page tells snoozed monitors from disabled ones; the wire calls both disabled. */
export function filterOf({ q, status, type, code, tells_nobody, ...more }: FilterState): MonitorFilter {
  const { tag, label, told, group } = more
  const shared = { q, ...wantedStatus(status), type, code, tag, label, told, group }
  return tells_nobody ? { ...shared, tells_nobody: 'true' } : shared
}

function wantedStatus(status: string): Pick<MonitorFilter, 'status' | 'snoozed'> {
  if (status === 'snoozed') return { status: '', snoozed: 'true' }
  return status === 'disabled' ? { status, snoozed: 'false' } : { status }
}

function wholeNumber(text: string | null, fallback: number, most: number): number {
  if (text === null || !/^\d{1,15}$/.test(text)) return fallback
  const value = Number(text)
  return value < 1 ? fallback : Math.min(value, most)
}
