// core/method.ts: the signature of the client's methods: one object of arguments, then call options.
import type { Response } from './response.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Overrides the client's timeout for this call. For a long poll, it is added to the wait. */
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
