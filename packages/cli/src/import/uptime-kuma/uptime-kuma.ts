// import/uptime-kuma/uptime-kuma.ts: Uptime Kuma monitors with their notifications, tags, groups and maintenance windows, and
// its status pages.
import type { MonitorDocument } from '@pulseward/server'
import { asDuration } from '../durations.ts'
import { Fields, isBlank } from '../fields.ts'
import { FleetDraft, NotCarried } from '../fleet-draft.ts'
import { Markings, monitorName, stated, timing } from '../monitor-parts.ts'
import { isSqlite } from '../read-source.ts'
import { checkOf } from './checks.ts'
import { Groups } from './groups.ts'
import { maintenanceWindow } from './maintenance.ts'
import { carryNotifications } from './notifications.ts'
import { readBackup } from './read-backup.ts'
import { readDatabase } from './read-database.ts'
import { idOf, type KumaSource, type Row } from './source.ts'
import { type Carried, carryStatusPages } from './status-pages.ts'
import { unusedFields } from './unused-fields.ts'

const defaultIntervalSeconds = 60

export async function readUptimeKuma([file = '']: readonly string[]): Promise<FleetDraft> {
  if (!(await isSqlite(file))) return readSource(await readBackup(file))
  using database = readDatabase(file)
  return readSource(database)
}

function readSource(source: KumaSource): FleetDraft {
  const draft = new FleetDraft()
  const endpoints = carryNotifications(source.notifications, draft)
  const groups = new Groups(source)
  noteTheRest(source, draft)
  const carried = new Map<number, Carried>()
  for (const row of source.monitors) {
    const name =
      typeof row['name'] === 'string' && row['name'] !== '' ? row['name'] : `monitor ${String(row['id'])}`
    const fields = new Fields(row, name, draft.notes, isBlank)
    draft.carry(fields, () => {
      const monitor = readMonitor(row, fields, { source, draft, endpoints, groups })
      draft.monitors.push(monitor)
      const own = idOf(row['id'])
      if (own !== null && monitor.id !== undefined) carried.set(own, { id: monitor.id, name: monitor.name })
    })
  }
  carryStatusPages(source, carried, draft)
  return draft
}

/** Notes what could not even be read. */
function noteTheRest({ unreadable }: KumaSource, { notes }: FleetDraft): void {
  for (const [list, count] of Object.entries(unreadable)) {
    if (count === 1)
      notes.add('the backup', list, 'has 1 entry that is not carried over: it is not a mapping')
    if (count > 1)
      notes.add('the backup', list, `has ${count} entries that are not carried over: they are not mappings`)
  }
}

interface Reading {
  readonly source: KumaSource
  readonly draft: FleetDraft
  /** Endpoint ids by notification id. */
  readonly endpoints: ReadonlyMap<number, string>
  readonly groups: Groups
}

function readMonitor(
  row: Row,
  fields: Fields,
  { source, draft, endpoints, groups }: Reading,
): MonitorDocument {
  const { path, isActive, maintenance } = groups.of(idOf(fields.take('parent')), fields)
  if (fields.flag('upside_down')) throw new NotCarried('upside_down', 'a check here cannot be turned around')
  const type = fields.text('type') ?? ''
  if (type === 'group') {
    if (source.notificationIds(row).length > 0)
      fields.note(
        'notifications',
        'are not carried over: the monitors of a group tell those that they name themselves',
      )
    throw new NotCarried('', 'it is a group; its name is the label "group" of its monitors')
  }
  const name = monitorName(fields.text('name') ?? fields.subject, fields)
  const id = draft.monitorId(name)
  const check = checkOf(type, { fields, owner: id, secrets: draft.secrets, source })
  const isEnabled = fields.flag('active') !== false && isActive
  const seconds = fields.number('interval') || defaultIntervalSeconds
  const windows = [...maintenance, ...source.maintenance(row)].flatMap((window) => {
    const own = new Fields(window, `maintenance ${String(window['title'] ?? '')}`, draft.notes, isBlank)
    return maintenanceWindow(own, source.timezone) ?? []
  })
  const told = source.notificationIds(row).flatMap((notification) => endpoints.get(notification) ?? [])
  fields.refuse('is not carried over: monitors have no description here', 'description')
  fields.refuse(
    'is not carried over: add a monitor with a check of type domain',
    'domain_expiry_notification',
  )
  // A monitor that waits for signals has no interval of checks.
  const times = check.type === 'push' ? {} : timesOf(fields, seconds)
  const notify = notifyOf(told, fields.number('resend_interval') ?? 0, seconds)
  fields.passAll(unusedFields)
  return {
    id,
    name,
    ...(isEnabled ? {} : { enabled: false }),
    ...markingsOf(source.tags(row), path, fields),
    check: { type: check.type, ...times, config: check.config },
    ...stated({ notify, maintenance: windows.length === 0 ? undefined : windows }),
  } as MonitorDocument
}

function timesOf(fields: Fields, seconds: number) {
  const retries = fields.number('maxretries') ?? 0
  const retrySeconds = fields.number('retry_interval') ?? 0
  if (retries > 0 && retrySeconds > 0 && retrySeconds !== seconds)
    fields.note('retry_interval', 'is not carried over: a failed check is repeated after the interval')
  const timeoutSeconds = fields.number('timeout') ?? 0
  return timing(
    {
      intervalMs: seconds * 1_000,
      timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1_000 : null,
      failures: retries + 1,
      successes: 1,
    },
    fields,
  )
}

function notifyOf(endpoints: readonly string[], resendAfter: number, seconds: number): object | undefined {
  if (endpoints.length === 0) return undefined
  const destinations = { endpoints: [...new Set(endpoints)] }
  const repeat = resendAfter > 0 ? { repeat: asDuration(resendAfter * seconds * 1_000) } : {}
  return { red: destinations, green: { ...destinations }, ...repeat }
}

function markingsOf(tags: readonly Row[], group: string, fields: Fields) {
  const markings = new Markings(fields)
  if (group !== '') markings.label('group', group)
  for (const { name, value } of tags) {
    if (typeof name !== 'string') continue
    if (typeof value === 'string' && value !== '') markings.label(name, value)
    else markings.tag(name)
  }
  return markings.written()
}
