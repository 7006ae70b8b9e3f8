// import/healthchecks/healthchecks.ts: the checks of Healthchecks, as its API lists them (versions 1 to 3): a period or a
// schedule, a grace time, and the UUID that jobs call.
import type { MonitorDocument } from '@pulseward/server'
import { asDuration } from '../durations.ts'
import { Fields, noCounterpart } from '../fields.ts'
import { FleetDraft, NotCarried } from '../fleet-draft.ts'
import { ImportError } from '../import-error.ts'
import { Markings, monitorName } from '../monitor-parts.ts'
import { keyOf } from '../push-check.ts'
import { readDocuments } from '../read-source.ts'

/** What Healthchecks observed, and the addresses of its own API. */
const bookkeeping = [
  'slug',
  'status',
  'started',
  'n_pings',
  'last_ping',
  'last_duration',
  'next_ping',
  'badge_url',
  'update_url',
  'pause_url',
  'resume_url',
  'unique_key',
  'uuid',
  'ping_url',
] as const

/** They tell what an email or the body of a signal means. */
const filters = [
  'subject',
  'subject_fail',
  'start_kw',
  'success_kw',
  'failure_kw',
  'filter_subject',
  'filter_body',
  'filter_http_body',
  'filter_default_fail',
] as const

export async function readHealthchecks([file = '']: readonly string[]): Promise<FleetDraft> {
  const [document = {}] = await readDocuments(file)
  if (!Array.isArray(document['checks']))
    throw new ImportError(
      `${file} is not a list of checks of Healthchecks: save the answer of its API at /api/v3/checks/.`,
    )
  const draft = new FleetDraft()
  const whole = new Fields(document, 'the list', draft.notes)
  for (const fields of whole.subjects('checks', nameOf))
    draft.carry(fields, () => draft.monitors.push(readCheck(fields, draft)))
  whole.close()
  return draft
}

function nameOf({ name, slug }: Record<string, unknown>, index: number): string {
  const given = [name, slug].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof given === 'string' ? given : `checks[${index}]`
}

function readCheck(fields: Fields, draft: FleetDraft): MonitorDocument {
  fields.pass('name')
  const name = monitorName(fields.subject, fields)
  const id = draft.monitorId(name)
  const markings = new Markings(fields)
  for (const tag of (fields.text('tags') ?? '').split(/\s+/)) markings.tag(tag)
  const isPaused = fields.text('status') === 'paused'
  const config = { ...dueOf(fields), key: keyOf(oldKeyOf(fields), id, fields, draft.secrets) }
  noteTheRest(fields)
  return {
    id,
    name,
    ...(isPaused ? { enabled: false } : {}),
    ...markings.written(),
    check: { type: 'push', config },
  } as unknown as MonitorDocument
}

function dueOf(fields: Fields): object {
  const seconds = fields.number('grace')
  // Also the time that a job has from its start to its end.
  const grace = seconds === undefined ? {} : { grace: durationOf(seconds), max_runtime: durationOf(seconds) }
  const schedule = fields.text('schedule')
  const timezone = fields.text('tz')
  if (schedule === undefined) return { every: everyOf(fields), ...grace }
  const cron = schedule.trim().split(/\s+/)
  if (cron.length !== 5)
    throw new NotCarried('schedule', 'it is not a cron expression of five fields; write it as one')
  return { cron: cron.join(' '), ...(timezone === undefined ? {} : { timezone }), ...grace }
}

function everyOf(fields: Fields): string {
  const seconds = fields.number('timeout')
  if (seconds === undefined) throw new NotCarried('timeout', 'there is neither a period nor a schedule')
  return durationOf(seconds)
}

function durationOf(seconds: number): string {
  return asDuration(Math.max(1, seconds) * 1_000)
}

/** An export by a key that only reads has neither. */
function oldKeyOf(fields: Fields) {
  const ofUrl = /\/([0-9a-f-]{36})\/?$/i.exec(fields.text('ping_url') ?? '')?.[1]
  return { field: 'ping_url', text: fields.text('uuid') ?? ofUrl }
}

function noteTheRest(fields: Fields): void {
  fields.refuse('is not carried over: monitors have no description here', 'desc')
  fields.refuse('are not carried over: the list has only their ids', 'channels')
  fields.refuse('is not carried over: a monitor here recovers with its next signal', 'manual_resume')
  fields.refuse('is not carried over: the setting push.methods is for all monitors', 'methods')
  fields.refuse(noCounterpart, ...filters)
  fields.pass(...bookkeeping)
}
