// store/resource.ts: the records of managed resources and of single writes, and the queries for resources. A spec is
// opaque here. A query names the change that it reads up to, so that all pages of a list show the same state.
import type { ResourceKind } from '@pulseward/contract/v2/kinds'
import type { Instant } from '../deciding/health/health.ts'
import type { Labels, Selector } from './selector.ts'

export interface StoredResource {
  readonly kind: ResourceKind
  readonly id: string
  /** The uid of this incarnation. */
  readonly uid: string
  /** The number of the change that made this version. */
  readonly change: number
  readonly generation: number
  readonly name: string | null
  readonly labels: Labels
  /** Canonical JSON. */
  readonly spec: string
  /** The encrypted value of a credential. */
  readonly sealed: Uint8Array | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface DeletedResource {
  readonly kind: ResourceKind
  readonly id: string
  /** The number of the change that deleted it. */
  readonly change: number
  readonly deleted: true
}

/** The value of a credential in a new envelope: the value is the same, so the version of the resource is too. */
export interface ResealedValue {
  readonly id: string
  /** The version that has the value. */
  readonly change: number
  readonly sealed: Uint8Array
}

/** Changes are numbered 1, 2, 3 … over the life of the store, across all kinds; each write has its own number. */
export type ResourceWrite = StoredResource | DeletedResource

export function isDeletion(write: ResourceWrite): write is DeletedResource {
  return 'deleted' in write
}

export interface ResourceQuery {
  readonly kind: ResourceKind
  /** Reads the list as of this change. */
  readonly upToChange: number
  /** Exclusive: where the previous page ended; null for the first page. */
  readonly afterId: string | null
  readonly limit: number
  /** Null for all. */
  readonly selector: Selector | null
}

export interface ResourcePage {
  /** Ordered by id, by UTF-8 bytes. */
  readonly resources: readonly StoredResource[]
  readonly more: boolean
}

/** A part of the changes to monitors, in order. */
export interface MonitorChanges {
  /** Monitors that were written, each in its present state. */
  readonly written: readonly StoredResource[]
  /** Monitors that no longer exist; may contain duplicates. */
  readonly deletedIds: readonly string[]
}

/** A single write or control, with its outcome. */
export interface StoredOperation {
  /** Operations are numbered 1, 2, 3 … over the life of the store. */
  readonly id: number
  readonly at: Instant
  readonly principal: string
  readonly state: string
  readonly write: SingleWrite
  readonly outcome: string | null
  readonly reason: string | null
}

export interface SingleWrite {
  /** `create`, `replace`, `patch`, `delete`, or the name of a control. */
  readonly verb: string
  readonly kind: string
  readonly id: string
  readonly oldVersion: string | null
  readonly newVersion: string | null
}
