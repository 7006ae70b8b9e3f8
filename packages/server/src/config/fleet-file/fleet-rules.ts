// config/fleet-file/fleet-rules.ts: rules that need the whole fleet: references to endpoints, groups and
// other monitors, dependency cycles, timing against the defaults.
import { formatDuration } from '../../platform/duration.ts'
import { isReported } from '../push-check.ts'
import type { Path } from '../shape/shape.ts'
import { type DefinitionBuilder, resolvePolicy } from './definition-builder.ts'
import type { HeadMerger } from './head.ts'
import { failsWhenMistake } from './monitor-rules.ts'
import { checkOnCallReferences } from './on-call-rules.ts'
import { dependsOnItself, missingName } from './reference-words.ts'
import { colors, type FleetHead, type NotifyDocument } from './schema.ts'
import { checkBadges, checkStatusPages } from './status-page-rules.ts'

type Route = NonNullable<FleetHead['routes']>[number]

export interface FleetRuleContext {
  readonly builder: DefinitionBuilder
  readonly heads: HeadMerger
  /** False if a document could not be read: it may define names that others refer to. */
  readonly headIsComplete: boolean
  readonly monitorsAreComplete: boolean
  /** Reports a mistake in a monitor's row, or in an entry of the head. */
  sayRow(row: number, path: Path, message: string): void
  sayHead(entry: string, path: Path, message: string): void
}

export function checkFleetRules(context: FleetRuleContext): void {
  if (context.headIsComplete) {
    checkHeadReferences(context)
    checkPolicies(context)
    checkNotifications(context)
    checkPages(context)
  }
  checkDependencies(context)
}

function checkHeadReferences({ builder, heads, sayHead }: FleetRuleContext): void {
  const { endpoints, groups, routes, defaults } = heads.head
  const holdsRoutesOnly = builder.count === 0 && isEmpty(heads.head)
  for (const [name, members] of Object.entries(groups ?? {})) {
    // Undefined if the group was refused; its name still counts.
    members?.forEach((member, index) => {
      const message = missing('endpoint', member, endpoints)
      if (message !== null) sayHead(`groups.${name}`, [index], message)
    })
  }
  routes?.forEach((route, index) => {
    // Routes in a fleet without anything else apply to resources of v2, and may name its endpoints and groups.
    const mistakes = holdsRoutesOnly
      ? []
      : [...destinationMistakes(route, heads), ...policyMistakes(route.policy, heads)]
    for (const [path, message] of mistakes) sayHead(`routes.${index}`, path, message)
    for (const message of routeMistakes(route)) sayHead(`routes.${index}`, [], message)
  })
  for (const [path, message] of notifyMistakes(defaults?.notify ?? {}, heads))
    sayHead('defaults', ['notify', ...path], message)
  for (const [path, message] of policyMistakes(defaults?.policy, heads)) sayHead('defaults', path, message)
  checkOnCallReferences(heads.head, sayHead)
}

function checkPages({ builder, heads, monitorsAreComplete, sayHead }: FleetRuleContext): void {
  // Pages in a fleet without anything else are about monitors of v2.
  const isKnown = monitorsAreComplete && !(builder.count === 0 && isEmpty(heads.head))
  const monitors = {
    ids: Array.from({ length: Math.min(builder.count, mostHints) }, (_, row) => builder.idOf(row)),
    has: (id: string) => builder.rowOf(id) !== -1,
    someMatches: (match: Readonly<Record<string, string>>) => builder.someMatches(match),
  }
  checkStatusPages(heads.head, isKnown ? monitors : null, sayHead)
  checkBadges(heads.head, isKnown ? monitors : null, sayHead)
}

function routeMistakes(route: Route): string[] {
  const { groups = [], endpoints = [], policy } = route
  const namesDestinations = groups.length + endpoints.length > 0
  // If they were refused, they are there without a value.
  const hasColors = 'colors' in route
  if (!namesDestinations && hasColors)
    return ['names no group and no endpoint; at least one of them is needed.']
  if (namesDestinations && !hasColors)
    return ['does not say in colors what is sent to its groups and endpoints, such as colors: [red, green].']
  return namesDestinations || policy !== undefined
    ? []
    : ['does nothing; give it a policy, or colors with groups or endpoints.']
}

/** Ignores routes, status pages and badges. */
function isEmpty({ routes: _, status_pages: _pages, badges: _badges, ...parts }: FleetHead): boolean {
  return Object.values(parts).every((part) => Object.keys(part ?? {}).length === 0)
}

/** Walks rows only if a policy is wrong. */
function checkPolicies({ builder, heads, sayRow }: FleetRuleContext): void {
  const defaults = heads.head.defaults?.check ?? {}
  const wrong = new Map<number, readonly [key: string, message: string]>()
  for (const [number, written] of builder.policies.interner.values.entries()) {
    const { intervalMs, timeoutMs, places } = resolvePolicy(written, defaults)
    if (timeoutMs > intervalMs && written.written.interval === undefined) {
      const message = `is longer than the default interval of ${formatDuration(intervalMs)}; write ${formatDuration(intervalMs)} or less.`
      wrong.set(number, ['timeout', message])
    }
    const { locations, fails_when } = written.written
    if (fails_when === undefined || locations !== undefined || isReported(written.type)) continue
    const message = failsWhenMistake(fails_when, places?.locations.length ?? 1)
    if (message !== null) wrong.set(number, ['fails_when', message])
  }
  forRowsOf(
    builder.count,
    (row) => builder.policies.numberOf(row),
    wrong,
    (row, [key, message]) => sayRow(row, ['check', key], message),
  )
}

function checkNotifications({ builder, heads, sayRow }: FleetRuleContext): void {
  const wrong = new Map<number, [Path, string][]>()
  for (const [number, { notify, policy }] of builder.notifications.interner.values.entries()) {
    const mistakes: [Path, string][] = notifyMistakes(notify ?? {}, heads).map(([path, message]) => [
      ['notify', ...path],
      message,
    ])
    mistakes.push(...policyMistakes(policy, heads))
    if (mistakes.length > 0) wrong.set(number, mistakes)
  }
  forRowsOf(
    builder.count,
    (row) => builder.notifications.numberOf(row),
    wrong,
    (row, mistakes) => {
      for (const [path, message] of mistakes) sayRow(row, path, message)
    },
  )
}

function forRowsOf<Wrong>(
  count: number,
  numberOf: (row: number) => number,
  wrong: Map<number, Wrong>,
  say: (row: number, wrong: Wrong) => void,
): void {
  if (wrong.size === 0) return
  for (let row = 0; row < count; row++) {
    const found = wrong.get(numberOf(row))
    if (found !== undefined) say(row, found)
  }
}

function notifyMistakes(notify: NotifyDocument, heads: HeadMerger): [Path, string][] {
  return colors.flatMap((color) => {
    const rule = notify[color]
    if (rule === undefined) return []
    return destinationMistakes(rule, heads).map(([path, message]): [Path, string] => [
      [color, ...path],
      message,
    ])
  })
}

function destinationMistakes(
  rule: { groups?: string[]; endpoints?: string[] },
  heads: HeadMerger,
): [Path, string][] {
  const mistakes: [Path, string][] = []
  const check = (key: 'groups' | 'endpoints', noun: string) =>
    rule[key]?.forEach((name, index) => {
      const message = missing(noun, name, heads.head[key])
      if (message !== null) mistakes.push([[key, index], message])
    })
  check('groups', 'group')
  check('endpoints', 'endpoint')
  return mistakes
}

function policyMistakes(policy: string | undefined, heads: HeadMerger): [Path, string][] {
  const message = policy === undefined ? null : missing('policy', policy, heads.head.policies)
  return message === null ? [] : [[['policy'], message]]
}

function missing(noun: string, name: string, known: object | undefined): string | null {
  if (Object.hasOwn(known ?? {}, name)) return null
  return missingName(noun, name, Object.keys(known ?? {}))
}

function checkDependencies({ builder, monitorsAreComplete, sayRow }: FleetRuleContext): void {
  if (builder.dependencies.interner.values.length === 1) return
  const parentsOf = (row: number) => builder.dependencies.valueOf(row)
  const known = Array.from({ length: Math.min(builder.count, mostHints) }, (_, row) => builder.idOf(row))
  for (let row = 0; row < builder.count; row++) {
    parentsOf(row).forEach((id, index) => {
      if (monitorsAreComplete && builder.rowOf(id) === -1)
        sayRow(row, ['depends_on', index], missingName('monitor', id, known))
    })
  }
  for (const { first, rows, length } of findCircles(builder.count, (row) =>
    parentsOf(row).map((id) => builder.rowOf(id)),
  )) {
    const [id = '', ...way] = rows.map((row) => builder.idOf(row))
    sayRow(first, ['depends_on'], `${dependsOnItself(id, way, length - 1)}.`)
  }
}

/** Among so many monitors a misspelt one is looked for. */
const mostHints = 1_000

interface Circle {
  readonly first: number
  /** The first few rows of the circle. */
  readonly rows: readonly number[]
  readonly length: number
}

const shownOfCircle = 8

/** One circle per edge that closes one. Uses its own stack: a chain of a million parents is valid. */
function findCircles(count: number, parentsOf: (row: number) => number[]): Circle[] {
  const circles: Circle[] = []
  const state = new Uint8Array(count) // 0 unseen, 1 on the way, 2 done
  const placeOnWay = new Uint32Array(count)
  for (let start = 0; start < count; start++) {
    if (state[start] !== 0) continue
    const way: number[] = [start]
    placeOnWay[start] = 0
    const parents: number[][] = [parentsOf(start)]
    state[start] = 1
    while (way.length > 0) {
      const next = parents.at(-1)!.pop()
      if (next === undefined) {
        state[way.pop()!] = 2
        parents.pop()
      } else if (next !== -1 && state[next] === 0) {
        state[next] = 1
        placeOnWay[next] = way.push(next) - 1
        parents.push(parentsOf(next))
      } else if (next !== -1 && state[next] === 1) {
        const from = placeOnWay[next]!
        circles.push({ first: next, rows: way.slice(from, from + shownOfCircle), length: way.length - from })
      }
    }
  }
  return circles
}
