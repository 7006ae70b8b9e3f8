// controls/freeze-revisions.ts: freezes the subjects of a bulk control: the monitors, or their open
// incidents, each with its current revision. All are frozen at one position: no other turn runs until the
// last one is read. They include monitors of fleet files: a control does not change their configuration.
import type { v2 } from '@pulseward/contract'
import { controlRevisionOf, type Health, incidentRevisionOf } from '../deciding/health/health.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { refusal, type V2FieldError } from '../requests/v2-problem.ts'
import { matchesSelector } from '../store/selector.ts'
import { selectorOf } from './control-verbs.ts'
import type { FrozenRevision } from './frozen.ts'

type Control = v2.ControlOperation['control']

export interface RevisionsOptions {
  readonly fleet: Fleet
  readonly healthOf: (row: number) => Health
}

/** A subject by its row, with the number of its monitor: another monitor may take the row before its id is read. */
interface Subjects {
  readonly rows: number[]
  readonly numbers: number[]
  readonly revisions: number[]
  readonly incidents: (string | null)[]
}

const itemsAtOnce = 1_000

/** Throws a problem for an invalid selector, and for ids that do not exist. */
export function* freezeRevisions(control: Control, options: RevisionsOptions): Generator<FrozenRevision[]> {
  const { fleet } = options
  const { rows, numbers, revisions, incidents } = subjectsOf(control, options)
  for (let from = 0; from < rows.length; from += itemsAtOnce) {
    const items: FrozenRevision[] = []
    for (let at = from; at < Math.min(rows.length, from + itemsAtOnce); at++) {
      const row = rows[at]!
      // A monitor that has left since then is skipped.
      if (!fleet.has(row) || fleet.columns.numericId[row] !== numbers[at]) continue
      items.push({ id: fleet.idOf(row), revision: revisions[at]!, incidentId: incidents[at] ?? null })
    }
    yield items
  }
}

function subjectsOf(control: Control, { fleet, healthOf }: RevisionsOptions): Subjects {
  const isOfIncident = incidentVerbs.has(control.verb)
  const subjects: Subjects = { rows: [], numbers: [], revisions: [], incidents: [] }
  for (const row of chosenRows(control, fleet)) {
    const health = healthOf(row)
    const incident = health.episode?.incident ?? null
    if (isOfIncident && incident === null) continue
    subjects.rows.push(row)
    subjects.numbers.push(fleet.columns.numericId[row]!)
    subjects.revisions.push(
      isOfIncident && incident !== null ? incidentRevisionOf(incident) : controlRevisionOf(health),
    )
    subjects.incidents.push(isOfIncident ? (incident?.id ?? null) : null)
  }
  return subjects
}

const incidentVerbs: ReadonlySet<string> = new Set(['acknowledge', 'dismiss', 'reopen'])

function* chosenRows({ ids, selector: text = '' }: Control, fleet: Fleet): Generator<number> {
  if (ids !== undefined) return yield* rowsOf(ids, fleet)
  const selector = selectorOf(text)
  const { values, of } = fleet.definition.labels
  const isChosen = values.map((labels) => matchesSelector(labels, selector))
  for (let row = 0; row < fleet.rows; row++) if (fleet.has(row) && isChosen[of[row]!]) yield row
}

function rowsOf(ids: readonly string[], fleet: Fleet): number[] {
  const distinct = [...new Set(ids)]
  const rows = distinct.map((id) => fleet.rowOf(id))
  const mistakes = rows.flatMap((row, index): V2FieldError[] => {
    const field = `/control/ids/${ids.indexOf(distinct[index] ?? '')}`
    return row === -1 ? [{ field, reason: 'notFound', message: 'names a monitor that does not exist' }] : []
  })
  if (mistakes.length > 0) throw refusal('invalidResource', 'body', mistakes)
  return rows
}
