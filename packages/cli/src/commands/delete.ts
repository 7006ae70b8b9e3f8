// commands/delete.ts: deletes one resource, if it is still in the version that was looked at; of an operation it cancels
// what remains, which undoes nothing.
import type { v2 } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import { awaitOperation, isRunning, operationExitCode } from '../client/await-operation.ts'
import { clientCommand } from '../client/client-command.ts'
import { switchValue } from '../client/flag-values.ts'
import { kinds, referenceFrom, shown, shownFirst } from '../client/kinds.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { orNoRevision, revisionFlag, revisionFrom } from '../client/revision.ts'
import { note } from '../client/table/block.ts'

const deletable = kinds.filter(({ remove, kind }) => remove !== undefined || kind === 'Operation')

export const remove = clientCommand({
  summary: 'delete one resource, or cancel what remains of an operation (v2)',
  usage: `KIND ID [flags]\n\nKinds: ${deletable.map(({ names }) => names[0]).join(', ')}`,
  firstWords: deletable.map(({ names }) => names[0]),
  flags: {
    wait: { kind: 'switch', summary: 'Wait until it is done.' },
    revision: revisionFlag,
    output: formatFlag,
  },
  operations: [
    'DeleteMonitor',
    'DeleteNotificationEndpoint',
    'DeleteNotificationGroup',
    'DeleteCredential',
    'DeleteJobType',
    'CancelOperation',
  ],
  examples: [
    'pulseward delete monitor checkout-api --wait',
    'pulseward delete endpoint ops-slack --revision 5',
    'pulseward delete operation op-01JQ8X4E',
  ],
  lookAgain: ({ operands }) => `pulseward describe ${operands.join(' ')}`,
  async run(parsed, session) {
    const format = formatFrom(parsed)
    const mayWait = switchValue(parsed, 'wait')
    const reference = referenceFrom(parsed.operands, 'delete KIND ID')
    const { kind, id } = reference
    const { client, signal } = session
    const isOperation = kind.kind === 'Operation'
    if (!isOperation && kind.remove === undefined)
      throw new UsageError(`Of kind ${kind.names[0]} nothing can be deleted.`)
    const revision = revisionFrom(parsed)
    if (isOperation && revision !== null)
      throw new UsageError('An operation has no version; leave --revision out.')
    const sent = isOperation ? (await client.cancelOperation({ id }, { signal })).data : await deleted()
    const operation = mayWait && isRunning(sent) ? await awaitOperation(session, sent.id) : sent
    const words = isOperation
      ? `What remained of operation ${id} is cancelled; nothing is undone.`
      : `${shownFirst(reference)} is deleted${isRunning(operation) ? ` by operation ${operation.id}, which is ${operation.state}` : ''}.`
    const failed = !isOperation && operationExitCode(operation) !== 0
    session.show(
      formatted(session.terminal, format, operation, () => [
        note(
          failed ? `${shownFirst(reference)} is not deleted: ${operation.reason ?? operation.state}.` : words,
        ),
      ]),
    )
    return failed ? 1 : 0

    async function deleted(): Promise<v2.Operation> {
      const ifMatch =
        revision ?? orNoRevision((await kind.get(client, id, { signal })).resourceVersion, shown(reference))
      return (await kind.remove!(client, { id, ifMatch }, { signal })).data
    }
  },
})
