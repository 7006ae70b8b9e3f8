// core/method.ts: what a method of the client looks like: one object of arguments, then how to call it.
import type { Response } from './response.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** For this call instead of the client's own; of a long poll, for what comes on top of the wait. */
  readonly timeoutMs?: number
}

export type NoArguments = Readonly<Record<never, never>>

type IsOptional<Arguments> = NoArguments extends Arguments ? true : false

export type Method<Arguments, Data> =
  IsOptional<Arguments> extends true
    ? (given?: Arguments, options?: CallOptions) => Promise<Response<Data>>
    : (given: Arguments, options?: CallOptions) => Promise<Response<Data>>

export type ListMethod<Arguments, List extends { items: unknown[] }> = Method<Arguments, List> & {
  /** Every row of every page; pages are fetched as they are needed. */
  all(
    given?: Omit<Arguments, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<List['items'][number], void, undefined>
}
