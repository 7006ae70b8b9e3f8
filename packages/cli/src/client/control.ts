// client/control.ts: what people request for an incident, a monitor or an action: acknowledge, dismiss, reopen, snooze,
// unsnooze, recover, review. Each reads the revision that it decides on, then sends the request once.
import type { CallOptions, Client, Response, v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { valueForm } from '../help.ts'
import { type ClientCommand, clientCommand } from './client-command.ts'
import { controlMany, type ManyVerb, manyFlags, manyOperations, selectorFrom } from './control-many.ts'
import { boundedText, durationFlag, given, oneOfWords } from './flag-values.ts'
import { findKind } from './kinds.ts'
import { formatFlag, formatFrom, formatted } from './output.ts'
import { orNoRevision, revisionFlag, revisionFrom } from './revision.ts'
import { note } from './table/block.ts'

const value = (valueName: string, summary: string): FlagSpec => ({ kind: 'value', valueName, summary })

/** The fields of a control that a command may offer, and how each is read. */
const fields = {
  reason: {
    flag: value('TEXT', 'Why.'),
    read: (parsed: ParsedArguments) => boundedText(parsed, 'reason', v2.limits.controlTextBytes),
  },
  note: {
    flag: value('TEXT', 'A note.'),
    read: (parsed: ParsedArguments) => boundedText(parsed, 'note', v2.limits.controlTextBytes),
  },
  for: {
    flag: value('DURATION', `For how long, at most ${v2.limits.snoozeHours}h.`),
    read: (parsed: ParsedArguments) =>
      durationFlag(parsed, 'for', {
        ms: v2.limits.snoozeHours * 3_600_000,
        words: `${v2.limits.snoozeHours}h`,
      })?.text,
  },
  incident: {
    flag: value('ID', 'The incident that it is for.'),
    read: (parsed: ParsedArguments) => lastValue(parsed, 'incident') ?? undefined,
  },
  resolution: {
    flag: { kind: 'value', values: v2.reviewResolutions, summary: 'What was found out.' },
    read: (parsed: ParsedArguments) => oneOfWords(parsed, 'resolution', v2.reviewResolutions),
  },
  evidence: {
    flag: value('REFERENCE', 'Where the evidence is; never fetched. May be given several times.'),
    read: evidenceFrom,
  },
} as const

type FieldName = keyof typeof fields

interface Control extends Pick<ClientCommand, 'summary' | 'examples'> {
  readonly name: string
  readonly operation: string
  readonly target: 'incident' | 'monitor' | 'action'
  /** The verb for many at once; absent if each has to be looked at individually. */
  readonly verb?: ManyVerb
  readonly required: readonly FieldName[]
  readonly optional: readonly FieldName[]
  send(
    client: Client,
    given: { id: string; ifMatch: string; body: wire.ControlRequest },
    options: CallOptions,
  ): Promise<Response<wire.Incident | wire.Operation | wire.Action>>
  /** What has happened, in words. */
  done(id: string, body: wire.ControlRequest): string
}

/** What users may name. */
const subjects = { incident: 'INCIDENT|MONITOR', monitor: 'MONITOR', action: 'ACTION' } as const

export function control(of: Control): Command {
  const known = [...of.required, ...of.optional]
  const subject = subjects[of.target]
  const usage = `${subject} ${of.required.map((name) => `--${name} ${valueForm(fields[name].flag)}`).join(' ')}`
  return clientCommand({
    summary: of.summary,
    usage:
      `${of.verb === undefined ? usage : usage.replace(subject, `${subject}|-l SELECTOR`)} [flags]`.replace(
        '  ',
        ' ',
      ),
    examples: of.examples,
    operations: [of.operation, ...(of.verb === undefined ? [] : manyOperations)],
    flags: {
      ...Object.fromEntries(known.map((name) => [name, fields[name].flag])),
      ...(of.verb === undefined ? {} : manyFlags),
      revision: revisionFlag,
      output: formatFlag,
    },
    lookAgain: ({ operands }) =>
      operands.length === 0
        ? `pulseward get ${of.target}s`
        : `pulseward describe ${of.target} ${operands[0]}`,
    async run(parsed, session) {
      const format = formatFrom(parsed)
      const selector = of.verb === undefined ? null : selectorFrom(parsed)
      if (of.verb !== undefined && selector !== null)
        return controlMany(parsed, session, { verb: of.verb, selector, ...requestFrom(parsed, of) })
      const [named, ...others] = parsed.operands
      if (!named || others.length > 0) throw new UsageError(`Name one: pulseward ${of.name} ${usage.trim()}`)
      const request = requestFrom(parsed, of)
      const { client, signal } = session
      await findKind(of.target).withId(client, named, { signal }, async (id) => {
        const revision = revisionFrom(parsed) ?? (await currentRevision(client, of.target, id, { signal }))
        const body = { revision, ...request }
        const { data } = await of.send(client, { id, ifMatch: revision, body }, { signal })
        session.show(formatted(session.terminal, format, data, () => [note(of.done(id, body))]))
      })
      return 0
    },
  })
}

function requestFrom(parsed: ParsedArguments, { required, optional }: Control) {
  const read = (name: FieldName) =>
    required.includes(name) || optional.includes(name) ? fields[name].read(parsed) : undefined
  const values = Object.fromEntries([...required, ...optional].map((name) => [name, read(name)]))
  const missing = required.find((name) => values[name] === undefined)
  if (missing !== undefined)
    throw new UsageError(
      `--${missing} is needed: ${fields[missing].flag.summary.toLowerCase().replace(/\.$/, '')}.`,
    )
  const { for: duration, incident: incidentID, evidence: evidenceRefs, ...rest } = values
  return given({ ...rest, duration, incidentID, evidenceRefs }) as Omit<wire.ControlRequest, 'revision'>
}

function evidenceFrom({ flags }: ParsedArguments): readonly string[] | undefined {
  const references = flags.get('evidence')
  const { evidenceEntries, evidenceEntryBytes } = v2.limits
  if (references !== undefined && references.length > evidenceEntries)
    throw new UsageError(
      `--evidence is given ${references.length} times; at most ${evidenceEntries} are allowed.`,
    )
  if (references?.some((one) => one === '' || Buffer.byteLength(one) > evidenceEntryBytes))
    throw new UsageError(`--evidence: each needs 1 to ${evidenceEntryBytes} bytes.`)
  return references
}

/** Each kind has its own revision for controls; they are never interchangeable. */
async function currentRevision(
  client: Client,
  target: Control['target'],
  id: string,
  options: CallOptions,
): Promise<string> {
  switch (target) {
    case 'incident':
      return (await client.getIncident({ id }, options)).data.revision
    case 'monitor': {
      const { data } = await client.getMonitor({ id }, options)
      return orNoRevision(data.status?.controlRevision, `the controls of monitor ${id}`)
    }
    case 'action': {
      const { data } = await client.getAction({ id }, options)
      return orNoRevision(data.reviewRevision, `the review of action ${id}`)
    }
  }
}
