// commands/apply.ts: makes the resources of files so: creates what is not there and updates what differs, all in one
// operation that is validated whole before anything changes; one by one where the service offers no operations. Nothing
// is pruned.
import { AmbiguousMutationError, CancelledError, type v2 } from '@pulseward/client'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { type Collection, fileFlags, openCollection } from '../client/apply/collection.ts'
import { orMistakes } from '../client/apply/file-mistakes.ts'
import { foresee } from '../client/apply/foresee.ts'
import { applyOneByOne } from '../client/apply/one-by-one.ts'
import { preflight } from '../client/apply/preflight.ts'
import { appliedBlocks, oneByOneBlocks, preflightBlocks } from '../client/apply/report.ts'
import { abandon, type Staged, stage } from '../client/apply/stage.ts'
import { orWithoutOperations } from '../client/apply/without-operations.ts'
import { awaitOperation, isRunning, operationExitCode } from '../client/await-operation.ts'
import { clientCommand } from '../client/client-command.ts'
import { exitCodeOf } from '../client/error-sentence.ts'
import { noFilesWithoutFlag, oneOfWords, switchValue } from '../client/flag-values.ts'
import { type Format, formatFlag, formatFrom, formatted } from '../client/output.ts'
import type { Session } from '../client/session.ts'

const dryRuns = ['client', 'server'] as const

export const apply = clientCommand({
  summary: 'create and update the resources of files (v2)',
  usage: '-f FILE|DIR|- [-R] [--dry-run] [--wait]',
  flags: {
    ...fileFlags,
    'dry-run': {
      kind: 'optional',
      values: dryRuns,
      summary: 'Change nothing. client: check the files and compare; server: let the service validate.',
    },
    wait: { kind: 'switch', summary: 'Wait until everything is applied.' },
    output: formatFlag,
  },
  operations: [
    'PreflightCollection',
    'CreateOperation',
    'UploadOperation',
    'ValidateOperation',
    'ActivateOperation',
    'CancelOperation',
    'GetOperation',
    'GetMonitor',
    'GetNotificationEndpoint',
    'GetNotificationGroup',
    'GetCredential',
    'GetJobType',
    'CreateMonitor',
    'CreateNotificationEndpoint',
    'CreateNotificationGroup',
    'CreateCredential',
    'CreateJobType',
    'ReplaceMonitor',
    'ReplaceNotificationEndpoint',
    'ReplaceNotificationGroup',
    'ReplaceCredential',
    'ReplaceJobType',
  ],
  examples: [
    'pulseward apply -f monitors.yaml --wait',
    'pulseward apply -f fleet/ -R --dry-run',
    'pulseward get groups -o yaml | pulseward apply -f - --server https://other.example --token-file token',
  ],
  async run(parsed, session) {
    noFilesWithoutFlag(parsed, 'apply')
    const format = formatFrom(parsed)
    const dryRun = dryRunFrom(parsed)
    const mayWait = switchValue(parsed, 'wait')
    return orMistakes(session, 1, async () => {
      const collection = await openCollection(parsed, session)
      if (dryRun === null)
        return orWithoutOperations(
          () => activate(session, collection, format, mayWait),
          () => writeAll(session, collection, format),
        )
      const judge = dryRun === 'client' ? foresee : preflight
      const judged = await judge(session, collection)
      showPreflight(session, judged, collection, format)
      return judged.valid ? 0 : 1
    })
  },
})

/** Null: it is meant. */
function dryRunFrom(parsed: ParsedArguments): (typeof dryRuns)[number] | null {
  const mode = lastValue(parsed, 'dry-run')
  if (mode === null || mode === 'false') return null
  return mode === 'true' ? 'client' : (oneOfWords(parsed, 'dry-run', dryRuns) ?? null)
}

const refusals: readonly v2.ItemOutcome[] = ['conflict', 'failed']

async function writeAll(session: Session, collection: Collection, format: Format): Promise<number> {
  const { items, ended } = await applyOneByOne(session, collection)
  if (items.some(({ outcome }) => outcome !== 'notAttempted'))
    session.show(formatted(session.terminal, format, { items }, () => oneByOneBlocks(items)))
  if (ended === null) return items.some(({ outcome }) => refusals.includes(outcome)) ? 1 : 0
  session.sayError(ended.error, ended.lookAgain)
  return exitCodeOf(ended.error)
}

async function activate(
  session: Session,
  collection: Collection,
  format: Format,
  mayWait: boolean,
): Promise<number> {
  const staged = await stagedOrDoubt(session, collection)
  if (staged === null) return 3
  const { operationId: id, preflight } = staged
  if (!preflight.valid) {
    await abandon(session, id)
    showPreflight(session, preflight, collection, format)
    return 1
  }
  const started = await startApplying(session, id)
  if (started === null) return 3
  const operation = mayWait && isRunning(started) ? await waited(session, id) : started
  if (operation === null) return 1
  session.show(formatted(session.terminal, format, operation, () => appliedBlocks(operation)))
  return operationExitCode(operation)
}

/** Null when an answer was lost on the way. */
async function stagedOrDoubt(session: Session, collection: Collection): Promise<Staged | null> {
  try {
    return await stage(session, collection)
  } catch (error) {
    if (!(error instanceof AmbiguousMutationError)) throw error
    session.say(
      `The answer of ${session.server} was lost while the files were staged; nothing is active, so you may apply them again.`,
    )
    return null
  }
}

/** Null when it is unknown whether it has started. */
async function startApplying(session: Session, id: string): Promise<v2.Operation | null> {
  try {
    return (await session.client.activateOperation({ id }, { signal: session.signal })).data
  } catch (error) {
    if (!(error instanceof AmbiguousMutationError)) throw error
    session.say(
      `Operation ${id} was told to apply once and its answer was lost, so it may be applying or not. Look with \`pulseward get operation ${id}\` before you apply again.`,
    )
    return null
  }
}

/** Null when a person stopped to wait. */
async function waited(session: Session, id: string): Promise<v2.Operation | null> {
  try {
    return await awaitOperation(session, id)
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
    session.say(`Stopped waiting; operation ${id} goes on: pulseward wait operation ${id}`)
    return null
  }
}

function showPreflight(
  session: Session,
  judged: v2.Preflight,
  { itemCount }: Collection,
  format: Format,
): void {
  session.show(formatted(session.terminal, format, judged, () => preflightBlocks(judged, itemCount)))
}
