// views/manage/kinds.ts: the kinds of resources that people manage here: their addresses in the page and in the API, and
// what they are called.
import type { v2 } from '@pulseward/contract'

export type ManagedKind = Exclude<v2.ResourceKind, 'JobType'>

export interface KindWords {
  readonly kind: ManagedKind
  /** In the address of the page. */
  readonly segment: string
  readonly path: string
  readonly one: string
  readonly many: string
  readonly about: string
}

export const kinds: readonly KindWords[] = [
  {
    kind: 'Monitor',
    segment: 'monitors',
    path: '/api/v2/monitors',
    one: 'monitor',
    many: 'Monitors',
    about: 'What is watched, how often, and what is done about it.',
  },
  {
    kind: 'NotificationEndpoint',
    segment: 'endpoints',
    path: '/api/v2/notification-endpoints',
    one: 'endpoint',
    many: 'Endpoints',
    about: 'Where notifications go: a chat, a mailbox, a pager.',
  },
  {
    kind: 'NotificationGroup',
    segment: 'groups',
    path: '/api/v2/notification-groups',
    one: 'group',
    many: 'Groups',
    about: 'Endpoints under one name, told together.',
  },
  {
    kind: 'Credential',
    segment: 'credentials',
    path: '/api/v2/credentials',
    one: 'credential',
    many: 'Credentials',
    about: 'Secrets by name. A value goes in and is never shown again.',
  },
]

export function kindOfSegment(segment: string | undefined): KindWords | undefined {
  return kinds.find((kind) => kind.segment === segment)
}

export function wordsOf(kind: ManagedKind): KindWords {
  const words = kinds.find((one) => one.kind === kind)
  if (words === undefined) throw new Error(`there are no words for ${kind}`)
  return words
}

export function resourcePath({ path }: KindWords, id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** The address of the page on which a resource is changed. */
export function editAddress({ segment }: KindWords, id: string): string {
  return `/manage/${segment}/${encodeURIComponent(id)}`
}

export function newAddress({ segment }: KindWords): string {
  return `/manage/new/${segment}`
}
