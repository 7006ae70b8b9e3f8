// status-writing/write-incident.ts: writes about an incident or maintenance on a status page: the first message, further ones,
// and the one that ends it. Times are those of the service.
import { randomBytes } from 'node:crypto'
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { inWords, oneOfWords } from '../client/flag-values.ts'
import { orNoRevision } from '../client/revision.ts'
import type { Session } from '../client/session.ts'

type Spec = wire.StatusIncident['spec']

export async function post(parsed: ParsedArguments, session: Session): Promise<number> {
  const [, page, title, text, unexpected] = parsed.operands
  if (page === undefined || title === undefined || text === undefined)
    throw new UsageError('Give a page, a title and a text: pulseward status post PAGE TITLE TEXT.')
  refuse(unexpected)
  const [from, until] = [lastValue(parsed, 'from'), lastValue(parsed, 'until')]
  if ((from === null) !== (until === null))
    throw new UsageError('Maintenance has both a beginning and an end: give --from and --until.')
  const maintenance =
    from === null || until === null ? null : { from: moment('from', from), until: moment('until', until) }
  const phase = oneOfWords(parsed, 'phase', v2.incidentPhases)
  if (maintenance !== null && phase !== undefined)
    throw new UsageError('Maintenance goes by its time: leave --phase out.')
  const components = componentsIn(parsed, maintenance !== null)
  const at = await timeOfService(session)
  const spec: Spec = {
    pageRef: page,
    title,
    ...(components.length === 0 ? {} : { components }),
    updates: [{ at, ...(maintenance === null ? { phase: phase ?? 'investigating' } : {}), text }],
    ...(maintenance === null ? {} : { maintenance }),
  }
  const id = idFrom(title)
  const { client, signal } = session
  const body = { apiVersion: 'pulseward/v2', kind: 'StatusIncident', metadata: { id }, spec } as const
  await client.createStatusIncident({ body, ifNoneMatch: '*' }, { signal })
  session.print(id)
  session.say(
    maintenance === null
      ? `It is on the page ${page}. To go on: pulseward status update ${id} TEXT`
      : `The maintenance is announced on the page ${page}.`,
  )
  return 0
}

export async function update(parsed: ParsedArguments, session: Session): Promise<number> {
  const [, id, text, unexpected] = parsed.operands
  if (id === undefined || text === undefined)
    throw new UsageError('Name an incident and say what is new: pulseward status update INCIDENT TEXT.')
  refuse(unexpected)
  const asked = oneOfWords(parsed, 'phase', v2.incidentPhases)
  await change(id, session, (spec, at) => {
    const changed = componentsIn(parsed, spec.maintenance !== undefined)
    const components = new Map([...(spec.components ?? []), ...changed].map((one) => [one.id, one]))
    const phase = asked ?? spec.updates.at(-1)?.phase
    return {
      ...spec,
      ...(components.size === 0 ? {} : { components: [...components.values()] }),
      updates: [...spec.updates, { at, ...(phase === undefined ? {} : { phase }), text }],
    }
  })
  session.say(`The update of ${id} is on the page.`)
  return 0
}

export async function resolve(parsed: ParsedArguments, session: Session): Promise<number> {
  const [, id, text, unexpected] = parsed.operands
  if (id === undefined) throw new UsageError('Name an incident: pulseward status resolve INCIDENT [TEXT].')
  refuse(unexpected)
  const postmortem = lastValue(parsed, 'postmortem')
  await change(id, session, (spec, at) => {
    const isOver = spec.updates.at(-1)?.phase === 'resolved'
    if (spec.maintenance !== undefined)
      throw new UsageError('Maintenance ends by itself; to end it early, change its end in pulseward patch.')
    // After the end only what was learned can be added.
    if (isOver && (postmortem === null || text !== undefined))
      throw new UsageError(`${id} is resolved already; add what was learned with --postmortem.`)
    const last = { at, phase: 'resolved' as const, text: text ?? 'This incident is resolved.' }
    return {
      ...spec,
      updates: isOver ? spec.updates : [...spec.updates, last],
      ...(postmortem === null ? {} : { postmortem }),
    }
  })
  session.say(`${id} is resolved.`)
  return 0
}

/** Fails if somebody else writes about it meanwhile. */
async function change(
  id: string,
  session: Session,
  changed: (spec: Spec, at: string) => Spec,
): Promise<void> {
  const { client, signal } = session
  const found = await client.getStatusIncident({ id }, { signal })
  const { resourceVersion, body } = { resourceVersion: found.resourceVersion, body: found.data }
  const now = await timeOfService(session)
  const lastAt = body.spec.updates.at(-1)?.at ?? now
  const at = Date.parse(lastAt) > Date.parse(now) ? lastAt : now
  const { status: _, ...rest } = body
  const ifMatch = orNoRevision(resourceVersion, `status incident ${id}`)
  await client.replaceStatusIncident(
    { id, ifMatch, body: { ...rest, spec: changed(body.spec, at) } },
    { signal },
  )
}

/** `isPlanned`: maintenance says nothing of the state of its components. */
function componentsIn(parsed: ParsedArguments, isPlanned: boolean): wire.AffectedComponent[] {
  return (parsed.flags.get('component') ?? []).map((text) => {
    const [id = '', state, ...more] = text.split('=')
    if (isPlanned && state === undefined) return { id }
    const known = v2.writtenStates.find((one) => one === state)
    if (!isPlanned && known !== undefined && more.length === 0) return { id, state: known }
    throw new UsageError(
      isPlanned
        ? `--component: "${text}" is not allowed here; maintenance takes the ID of a component alone.`
        : `--component: "${text}" is not allowed here; write ID=STATE, where the state is ${inWords(v2.writtenStates)}.`,
    )
  })
}

function moment(flag: string, text: string): string {
  const ms = Date.parse(text)
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && /(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(ms))
    return new Date(ms).toISOString()
  throw new UsageError(`--${flag}: "${text}" is not a moment; write one such as 2026-03-29T01:00:00Z.`)
}

/** A clock of this machine that is wrong would date the message wrongly. */
async function timeOfService({ client, signal, terminal }: Session): Promise<string> {
  const { data } = await client.listStatusIncidents({ limit: 1 }, { signal })
  return data.generatedAt ?? new Date(terminal.nowMs()).toISOString()
}

/** Part of an address, so it says what it is about. */
function idFrom(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '')
  return [...(words === '' ? [] : [words]), randomBytes(3).toString('hex')].join('-')
}

function refuse(unexpected: string | undefined): void {
  if (unexpected !== undefined)
    throw new UsageError(`"${unexpected}" is not expected here; give a text of several words in quotes.`)
}
