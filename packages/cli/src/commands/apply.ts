// commands/apply.ts: brings the service in line with the resources of files: creates what is missing and
// updates what differs, all in one operation that is validated as a whole before anything changes. If the
// service offers no operations, resources are written one by one; so are a few if it has no place for an
// operation. Nothing is pruned. Stopping the command leaves no operation behind.
import { AmbiguousMutationError, type v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { activateOperation } from '../client/activate-operation.ts'
import { type Collection, fileFlags, openCollection } from '../client/apply/collection.ts'
import { orMistakes } from '../client/apply/file-mistakes.ts'
import { foresee } from '../client/apply/foresee.ts'
import { applyOneByOne } from '../client/apply/one-by-one.ts'
import { fitsOneRequest, preflight } from '../client/apply/preflight.ts'
import {
  appliedBlocks,
  oneByOneBlocks,
  preflightBlocks,
  sayItems,
  sayMistakes,
} from '../client/apply/report.ts'
import { resume } from '../client/apply/resume.ts'
import { type Staged, stage, UnfinishedStaging } from '../client/apply/stage.ts'
import { noteNamesNobody } from '../client/apply/tells-nobody.ts'
import { isWithoutPlace, orWithoutOperations } from '../client/apply/without-operations.ts'
import { isRunning, operationExitCode } from '../client/await-operation.ts'
import { clientCommand } from '../client/client-command.ts'
import { commandAgain } from '../client/command-again.ts'
import { exitCodeOf } from '../client/error-sentence.ts'
import { noFilesWithoutFlag, oneOfWords, switchValue } from '../client/flag-values.ts'
import { operationsNamed } from '../client/kinds.ts'
import { type Format, formatFlag, formatFrom, formatted } from '../client/output.ts'
import type { Session } from '../client/session.ts'

const { stagingIdleHours, neededPlaceIdleMinutes } = v2.limits
const dryRuns = ['client', 'server'] as const

export const apply = clientCommand({
  summary: 'create and update the resources of files',
  usage: '-f FILE|DIR|- [-R] [--dry-run] [--wait] [--resume ID]',
  flags: {
    ...fileFlags,
    'dry-run': {
      kind: 'optional',
      values: dryRuns,
      summary: 'Change nothing. client: check the files and compare; server: let the service validate.',
    },
    wait: { kind: 'switch', summary: 'Wait until everything is applied.' },
    resume: {
      kind: 'value',
      valueName: 'ID',
      summary: 'Continue a stopped operation, with the same files.',
    },
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
    ...operationsNamed('Get'),
    ...operationsNamed('List'),
    ...operationsNamed('Create'),
    ...operationsNamed('Replace'),
  ],
  examples: [
    'pulseward apply -f monitors.yaml --wait',
    'pulseward apply -f fleet/ -R --dry-run',
    'pulseward apply -f million.ndjson --wait --resume op-01JQ8X4E',
    'pulseward get groups -o yaml | pulseward apply -f - --server https://other.example --token-file token',
  ],
  async run(parsed, session) {
    noFilesWithoutFlag(parsed, 'apply')
    const wish = { format: formatFrom(parsed), mayWait: switchValue(parsed, 'wait') }
    const dryRun = dryRunFrom(parsed)
    const resumed = lastValue(parsed, 'resume')
    if (resumed !== null && dryRun !== null)
      throw new UsageError('--resume continues a real operation; leave --dry-run out.')
    return orMistakes(session, 1, async () => {
      using collection = await openCollection(parsed, session)
      if (dryRun !== null) return await tryOnly(session, collection, dryRun, wish.format)
      return await orUnfinished(session, parsed, async () => {
        if (resumed !== null) {
          const staged = await resume(session, collection, resumed)
          return activate(session, staged, collection, wish)
        }
        return orWithoutOperations(
          () => stagedOrFew(session, collection, wish),
          () => writeAll(session, collection, wish.format),
        )
      })
    })
  },
})

interface Wish {
  readonly format: Format
  readonly mayWait: boolean
}

async function tryOnly(
  session: Session,
  collection: Collection,
  dryRun: (typeof dryRuns)[number],
  format: Format,
): Promise<number> {
  const predict = dryRun === 'client' ? foresee : preflight
  const predicted = await predict(session, collection)
  await showPreflight(session, predicted, collection, format)
  if (!predicted.valid) return 1
  await noteNamesNobody(session, collection.namesNobody, false)
  return 0
}

/** Null if it is not a dry run. */
function dryRunFrom(parsed: ParsedArguments): (typeof dryRuns)[number] | null {
  const mode = lastValue(parsed, 'dry-run')
  if (mode === null || mode === 'false') return null
  return mode === 'true' ? 'client' : (oneOfWords(parsed, 'dry-run', dryRuns) ?? null)
}

const refusals: readonly wire.ItemOutcome[] = ['conflict', 'failed']

/**
 * A collection this small needs no operation: if there is no place for one, it is validated as a whole and
 * then written one by one.
 */
const fewItems = 100

async function stagedOrFew(session: Session, collection: Collection, wish: Wish): Promise<number> {
  try {
    return await activate(session, await stage(session, collection), collection, wish)
  } catch (error) {
    const isFew = collection.itemCount <= fewItems && fitsOneRequest(collection)
    if (!isFew || !isWithoutPlace(error)) throw error
  }
  const predicted = await preflight(session, collection)
  if (predicted.valid) return writeAll(session, collection, wish.format, predicted.items)
  await showPreflight(session, predicted, collection, wish.format)
  return 1
}

async function writeAll(
  session: Session,
  collection: Collection,
  format: Format,
  foreseen?: readonly wire.ApplyResult[],
): Promise<number> {
  const { items, ended } = await applyOneByOne(session, collection, foreseen)
  if (items.some(({ outcome }) => outcome !== 'notAttempted'))
    session.show(formatted(session.terminal, format, { items }, () => oneByOneBlocks(items)))
  await sayItems(session, collection, items)
  if (ended === null) {
    await noteNamesNobody(session, collection.namesNobody, true)
    return items.some(({ outcome }) => refusals.includes(outcome)) ? 1 : 0
  }
  session.sayError(ended.error, ended.lookAgain)
  return exitCodeOf(ended.error)
}

async function activate(
  session: Session,
  staged: Staged,
  collection: Collection,
  { format, mayWait }: Wish,
): Promise<number> {
  const { operationId: id, preflight } = staged
  if (!preflight.valid) {
    await showPreflight(session, preflight, collection, format)
    return 1
  }
  const operation = await activateOperation(session, id, mayWait)
  if (typeof operation === 'number') return operation
  session.show(formatted(session.terminal, format, operation, () => appliedBlocks(operation)))
  await noteNamesNobody(session, collection.namesNobody, !isRunning(operation))
  return operationExitCode(operation)
}

/** Tells how to continue after an unfinished upload. */
async function orUnfinished(
  session: Session,
  parsed: ParsedArguments,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AmbiguousMutationError && error.operation === 'createOperation') {
      session.say(
        `The answer of ${session.server} was lost before anything was uploaded; nothing is active, so you may apply the files again.`,
      )
      return 3
    }
    if (!(error instanceof UnfinishedStaging)) throw error
    if (error.isCancelled) {
      session.say(`Stopped; operation ${error.operationId} is cancelled, and nothing was changed.`)
      return 1
    }
    const isStopped = session.signal.aborted
    const why = isStopped ? 'Stopped' : `${session.server} can no longer be reached`
    session.say(
      `${why}; what is uploaded stays staged for ${stagingIdleHours} hours, or for ${neededPlaceIdleMinutes} minutes when another operation needs its place, and nothing was changed.`,
    )
    session.say(`Continue with: ${commandAgain('apply', parsed, { resume: error.operationId })}`)
    return isStopped ? 1 : 3
  }
}

async function showPreflight(
  session: Session,
  predicted: wire.Preflight,
  collection: Collection,
  format: Format,
): Promise<void> {
  const isForPeople = format === 'table' || format === 'wide'
  if (predicted.valid || !isForPeople)
    session.show(
      formatted(session.terminal, format, predicted, () => preflightBlocks(predicted, collection.itemCount)),
    )
  else await sayMistakes(session, collection, predicted)
}
