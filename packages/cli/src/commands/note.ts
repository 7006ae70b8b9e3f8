// commands/note.ts: adds a note to the record of an incident, open or closed. The token identifies who notes it.
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { clientCommand } from '../client/client-command.ts'
import { findKind } from '../client/kinds.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { note as block } from '../client/table/block.ts'

const usage = 'INCIDENT|MONITOR TEXT'

export const note = clientCommand({
  summary: 'add a note to the record of an incident',
  usage: `${usage} [flags]`,
  examples: [
    "pulseward note checkout-api 'the pool of connections was full'",
    "pulseward note inc-01JQ8X4A 'raised the pool to 200'",
  ],
  operations: ['AddIncidentNote'],
  flags: { output: formatFlag },
  lookAgain: ({ operands }) =>
    operands.length === 0 ? 'pulseward get incidents' : `pulseward describe incident ${operands[0]}`,
  async run(parsed, session) {
    const format = formatFrom(parsed)
    const [named, text, ...others] = parsed.operands
    if (!named || text === undefined || others.length > 0)
      throw new UsageError(`Name one incident and give the note as one text: pulseward note ${usage}`)
    const most = v2.limits.controlTextBytes
    if (text.trim() === '') throw new UsageError('The note is empty; write what others should know.')
    if (Buffer.byteLength(text) > most)
      throw new UsageError(`The note has ${Buffer.byteLength(text)} bytes; at most ${most} are allowed.`)
    const { client, signal } = session
    await findKind('incident').withId(client, named, { signal }, async (id) => {
      const { data } = await client.addIncidentNote({ id, body: { text } }, { signal })
      session.show(
        formatted(session.terminal, format, data, () => [
          block(`The note is in the record of incident ${id}.`),
        ]),
      )
    })
    return 0
  },
})
