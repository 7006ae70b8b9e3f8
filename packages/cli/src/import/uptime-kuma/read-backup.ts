// import/uptime-kuma/read-backup.ts: the JSON backup that Uptime Kuma 1.x wrote from its settings.
import { isMapping } from '../fields.ts'
import { ImportError } from '../import-error.ts'
import { readText } from '../read-source.ts'
import { idOf, type KumaSource, normalized, parentsOf, type Row } from './source.ts'

export async function readBackup(file: string): Promise<KumaSource> {
  const { version, monitorList, notificationList } = parseBackup(await readText(file), file)
  const [major] = /^[0-9]+/.exec(typeof version === 'string' ? version : '') ?? []
  if (major !== undefined && !['1', '2'].includes(major))
    throw new ImportError(
      `${file} is a backup of Uptime Kuma ${major}, which is not known here; versions 1 and 2 are.`,
    )
  const entries = (list: unknown): unknown[] => (Array.isArray(list) ? list : [])
  const rows = (list: unknown): Row[] => entries(list).filter(isMapping)
  const monitors = rows(monitorList)
  const strays = (list: unknown) => entries(list).length - rows(list).length
  return {
    // Lazily: the file is already in memory.
    monitors: Iterator.from(monitors).map(normalized),
    notifications: rows(notificationList).map(normalized),
    dockerHosts: null,
    proxies: null,
    timezone: null,
    statusPages: [],
    unreadable: { monitorList: strays(monitorList), notificationList: strays(notificationList) },
    parents: parentsOf(monitors),
    notificationIds: ({ notification_id_list: list }) =>
      isMapping(list) ? Object.keys(list).flatMap((id) => (list[id] ? (idOf(id) ?? []) : [])) : [],
    tags: ({ tags }) => (Array.isArray(tags) ? tags.filter(isMapping) : []),
    maintenance: () => [],
  }
}

function parseBackup(text: string, file: string): Row {
  const notOne = `${file} is neither a backup of Uptime Kuma (JSON with a monitorList) nor its database (kuma.db).`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ImportError(notOne, { cause: error })
  }
  if (!isMapping(value) || !Array.isArray(value['monitorList'])) throw new ImportError(notOne)
  return value
}
