// scripts/check/places.ts: where a source file belongs: its package, its room, its driver.
import { rooms } from './boundary-rules.ts'

const SERVER = 'packages/server/src/'

export function packageOf(path: string): string | null {
  const [folder, name] = path.split('/')
  return folder === 'packages' ? name! : null
}

/** The room of a server file: the innermost folder that has rules, or the folder or file at the top. */
export function roomOf(path: string): string | null {
  if (!path.startsWith(SERVER)) return null
  const [outer, inner] = path.slice(SERVER.length).split('/')
  const nested = `${outer}/${inner}`
  return Object.hasOwn(rooms, nested) ? nested : outer!
}

export function roomRuleOf(path: string) {
  const room = roomOf(path)
  return room !== null && Object.hasOwn(rooms, room) ? rooms[room] : undefined
}

/** Marked by its name: *.fixture.ts anywhere, and the peers.ts of a driver. Only tests may use it. */
export function isTestSupport(path: string): boolean {
  if (path.endsWith('.fixture.ts')) return true
  const [, unit, file] = path.slice(SERVER.length).split('/')
  return roomRuleOf(path)?.aroundDrivers !== undefined && unit !== undefined && file === 'peers.ts'
}

/** The unit of a driver room that a file belongs to: checks/http/http.ts and checks/http/head.ts are both http. */
export function unitOf(path: string): string {
  return path.slice(SERVER.length).split('/')[1]!.replace(/\.ts$/, '')
}
