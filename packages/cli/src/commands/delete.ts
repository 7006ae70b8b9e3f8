// commands/delete.ts: deletes resources by id or from files, each only if its version has not changed since
// it was read. Deleting an operation cancels what remains of it, which undoes nothing.
import { PulsewardError, type v2 } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import { fileFlags, openCollection } from '../client/apply/collection.ts'
import { currentOf } from '../client/apply/current-resources.ts'
import { inDependencyOrder } from '../client/apply/dependency-order.ts'
import { orMistakes } from '../client/apply/file-mistakes.ts'
import { isAboutThisOne } from '../client/apply/one-by-one.ts'
import { awaitOperation, isRunning, operationExitCode } from '../client/await-operation.ts'
import { clientCommand } from '../client/client-command.ts'
import { exitCodeOf } from '../client/error-sentence.ts'
import { switchValue } from '../client/flag-values.ts'
import {
  findKind,
  kinds,
  operationsNamed,
  type Reference,
  referencesFrom,
  shown,
  shownFirst,
} from '../client/kinds.ts'
import { existingMonitor, isMissing, isNumber } from '../client/named-monitor.ts'
import { type Format, formatFlag, formatFrom, formatted } from '../client/output.ts'
import { orNoRevision, revisionFlag, revisionFrom } from '../client/revision.ts'
import type { Session } from '../client/session.ts'
import { note } from '../client/table/block.ts'

const deletable = kinds.filter(({ remove, kind }) => remove !== undefined || kind === 'Operation')

/** Limits a list that is deleted one by one, so that a whole fleet is not deleted by mistake. */
const mostOfFiles = 1_000

interface Wish {
  readonly format: Format
  readonly mayWait: boolean
  /** The version that the user named. */
  readonly revision: string | null
}

export const remove = clientCommand({
  summary: 'delete resources, or cancel the rest of an operation',
  usage: `KIND ID… | -f FILE|DIR|- [flags]\n\nKinds: ${deletable.map(({ names }) => names[0]).join(', ')}`,
  firstWords: deletable.map(({ names }) => names[0]),
  flags: {
    ...fileFlags,
    'ignore-not-found': { kind: 'switch', summary: 'Treat a missing resource as deleted.' },
    wait: { kind: 'switch', summary: 'Wait until it is done.' },
    revision: revisionFlag,
    output: formatFlag,
  },
  operations: ['CancelOperation', ...operationsNamed('Delete')],
  examples: [
    'pulseward delete monitor checkout-api --wait',
    'pulseward delete monitor checkout-api search-api',
    'pulseward delete endpoint ops-slack --revision 5',
    'pulseward delete -f monitors.yaml --ignore-not-found',
    'pulseward delete operation op-01JQ8X4E',
  ],
  lookAgain: ({ operands }) => `pulseward describe ${operands.join(' ')}`,
  async run(parsed, session) {
    const wish = {
      format: formatFrom(parsed),
      mayWait: switchValue(parsed, 'wait'),
      revision: revisionFrom(parsed),
    }
    const mayBeMissing = switchValue(parsed, 'ignore-not-found')
    if (parsed.flags.has('filename')) {
      refuseBesideFiles(parsed)
      return orMistakes(session, 1, () => deleteOfFiles(parsed, session, wish, mayBeMissing))
    }
    const named = referencesFrom(parsed.operands, 'delete KIND ID')
    const resolved = await Promise.all(named.map((one) => withoutNumber(session, one)))
    const [first, ...others] = resolved as [Reference, ...Reference[]]
    const { kind, id } = first
    if (others.length === 0 && kind.kind === 'Operation') return cancel(session, id, wish)
    if (kind.remove === undefined) throw new UsageError(`Kind ${kind.names[0]} cannot be deleted.`)
    if (others.length > 0) return deleteSeveral(session, [first, ...others], wish, mayBeMissing)
    if (mayBeMissing && (await currentOf(session, kind, id)) === null) return 0
    return deleteOne(session, first, wish)
  },
})

/** The monitor that has this number, if none has it as its id. */
async function withoutNumber({ client, signal }: Session, { kind, id }: Reference): Promise<Reference> {
  if (kind.kind !== 'Monitor' || !isNumber(id)) return { kind, id }
  const found = existingMonitor(client, id, { signal }).catch((error) => {
    if (isMissing(error)) return id
    throw error
  })
  return { kind, id: await found }
}

/** A refusal is noted, and the others continue. */
async function deleteSeveral(
  session: Session,
  references: readonly Reference[],
  wish: Wish,
  mayBeMissing: boolean,
): Promise<number> {
  if (wish.revision !== null)
    throw new UsageError('--revision applies to one resource; name one, or leave it out.')
  let exitCode = 0
  for (const reference of references) {
    const end = await deleteIfThere(session, { reference, version: null }, wish, mayBeMissing)
    exitCode = Math.max(exitCode, end.exitCode)
    if (end.isOver) return exitCode
  }
  return exitCode
}

/** `isOver`: the error does not concern this resource, so the next would fail in the same way. */
async function deleteIfThere(
  session: Session,
  { reference, version }: { readonly reference: Reference; readonly version: string | null },
  wish: Wish,
  mayBeMissing: boolean,
): Promise<{ readonly exitCode: number; readonly isOver: boolean }> {
  try {
    const found = await currentOf(session, reference.kind, reference.id)
    const revision = version ?? found?.resourceVersion ?? null
    if (found !== null)
      return { exitCode: await deleteOne(session, reference, { ...wish, revision }), isOver: false }
    if (mayBeMissing) return { exitCode: 0, isOver: false }
    session.say(`${shownFirst(reference)} is not there.`)
    return { exitCode: 1, isOver: false }
  } catch (error) {
    if (!(error instanceof PulsewardError)) throw error
    session.sayError(error, `pulseward describe ${shown(reference)}`)
    return { exitCode: exitCodeOf(error), isOver: !isAboutThisOne(error) }
  }
}

function refuseBesideFiles({ operands, flags }: ParsedArguments): void {
  if (operands.length > 0) throw new UsageError('Name one resource, or files with -f, not both.')
  if (flags.has('revision')) throw new UsageError('--revision applies to one resource; leave it out with -f.')
}

/** Deletes resources before what they refer to. */
async function deleteOfFiles(
  parsed: ParsedArguments,
  session: Session,
  wish: Wish,
  mayBeMissing: boolean,
): Promise<number> {
  using collection = await openCollection(parsed, session)
  if (collection.itemCount > mostOfFiles)
    throw new UsageError(`The files have more than ${mostOfFiles} resources; delete them in parts.`)
  const items = inDependencyOrder(await Array.fromAsync(collection.items(), ({ item }) => item))
  let exitCode = 0
  for (const { resource } of items.reverse()) {
    const reference = { kind: findKind(resource.kind), id: resource.metadata.id }
    const version = resource.metadata.resourceVersion ?? null
    const end = await deleteIfThere(session, { reference, version }, wish, mayBeMissing)
    exitCode = Math.max(exitCode, end.exitCode)
    if (end.isOver) return exitCode
  }
  return exitCode
}

async function deleteOne(session: Session, reference: Reference, wish: Wish): Promise<number> {
  const { client, signal } = session
  const { kind, id } = reference
  const ifMatch =
    wish.revision ?? orNoRevision((await kind.get(client, id, { signal })).resourceVersion, shown(reference))
  const { data } = await kind.remove!(client, { id, ifMatch }, { signal })
  const operation = wish.mayWait && isRunning(data) ? await awaitOperation(session, data.id) : data
  const failed = operationExitCode(operation) !== 0
  show(session, wish, operation, failed ? notDeleted(reference, operation) : deleted(reference, operation))
  return failed ? 1 : 0
}

function deleted(reference: Reference, operation: v2.Operation): string {
  const by = isRunning(operation) ? ` by operation ${operation.id}, which is ${operation.state}` : ''
  return `${shownFirst(reference)} is deleted${by}.`
}

function notDeleted(reference: Reference, { reason, state }: v2.Operation): string {
  return `${shownFirst(reference)} is not deleted: ${reason ?? state}.`
}

async function cancel(session: Session, id: string, wish: Wish): Promise<number> {
  if (wish.revision !== null) throw new UsageError('An operation has no version; leave --revision out.')
  const { data } = await session.client.cancelOperation({ id }, { signal: session.signal })
  const operation = wish.mayWait && isRunning(data) ? await awaitOperation(session, data.id) : data
  show(session, wish, operation, `What remained of operation ${id} is cancelled; nothing is undone.`)
  return 0
}

function show(session: Session, { format }: Wish, operation: v2.Operation, words: string): void {
  session.show(formatted(session.terminal, format, operation, () => [note(words)]))
}
