import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { type Edition, type Operation, schemaIn } from '../operation.ts'
import { v1Examples } from './examples.ts'
import { Incident, NextIncident } from './incidents.ts'
import { MainMonitorRow, MonitorRow, NextMonitorRow } from './monitor-row.ts'
import { v1Operations } from './operations.ts'
import { HistoryQuery, MonitorListQuery, MonitorPath } from './parameters.ts'
import { v1Schemas } from './schemas.ts'
import { Timestamp } from './values.ts'

interface Shape {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** Properties that say nothing about themselves, by their paths. Members of by_status are statuses. */
function silentProperties(shape: Shape, path: string): string[] {
  const own = Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => [
    ...(inner.description === undefined ? [`${path}.${name}`] : []),
    ...silentProperties(inner, `${path}.${name}`),
  ])
  const inner = [...(shape.items ? [shape.items] : []), ...(shape.anyOf ?? [])]
  return [...own, ...inner.flatMap((one) => silentProperties(one, path))]
}

function isNullable(schema: TSchema): boolean {
  return Compile(schema).Check(null)
}

describe('the schemas of v1', () => {
  it.each(Object.entries(v1Examples))('%s has an example that it accepts', (name, example) => {
    const schema = v1Schemas[name as keyof typeof v1Schemas]
    expect([...Compile(schema).Errors(example)]).toEqual([])
  })

  it.each(Object.entries(v1Schemas))('%s says what every field means', (name, schema) => {
    const selfEvident =
      /\.(by_status\.|filters\.|(queues|pools|series|queue_capacity)\.(intervention|code|pulse)$)/
    expect(silentProperties(schema as Shape, name).filter((path) => !selfEvident.test(path))).toEqual([])
  })

  it('are named and have an example wherever they are a body of JSON', () => {
    const named = new Set<unknown>(Object.keys(v1Examples).map((name) => Reflect.get(v1Schemas, name)))
    const operations = Object.entries<Operation>(v1Operations).filter(([name]) => name !== 'GetOpenAPI')
    for (const [name, { answers, editions }] of operations) {
      for (const answer of Object.values(answers).filter(({ mediaType }) => mediaType === 'application/json'))
        for (const edition of editions as readonly Edition[])
          expect(named.has(schemaIn(answer, edition)), `${name} in ${edition}`).toBe(true)
    }
  })

  it('show the stable identity everywhere but in main', () => {
    const { monitor_id: _, ...others } = MonitorRow.properties
    expect(MainMonitorRow.properties).toEqual(others)
  })

  it('show the end of a snooze and the time of an acknowledgement in next alone', () => {
    const { snoozed_until, ...row } = NextMonitorRow.properties
    expect([row, isNullable(snoozed_until)]).toEqual([MonitorRow.properties, true])
    const { acknowledged_at } = NextIncident.properties
    const added = new Set(Object.keys(NextIncident.properties)).difference(
      new Set(Object.keys(Incident.properties)),
    )
    expect([[...added].sort(), isNullable(acknowledged_at)]).toEqual([
      ['acknowledged_at', 'snoozed_until'],
      true,
    ])
  })

  it.each(['State', 'History', 'IncidentList'] as const)(
    '%s knows the outcomes of controls in next alone',
    (name) => {
      const { [`Next${name}` as const]: example } = v1Examples
      const ofControls = JSON.parse(
        JSON.stringify(example).replace(/"outcome":(null|"\w+")/g, '"outcome":"snoozed"'),
      )
      expect(Compile(v1Schemas[`Next${name}`]).Check(ofControls)).toBe(true)
      expect(Compile(v1Schemas[name]).Check(ofControls)).toBe(false)
    },
  )

  it('know only times in UTC with milliseconds', () => {
    const isTime = (text: string) => Compile(Timestamp).Check(text)
    expect(isTime(new Date(0).toISOString())).toBe(true)
    for (const other of ['2026-03-01T09:30:05Z', '2026-03-01T09:30:05.000+01:00', '0001-01-01', ''])
      expect(isTime(other), other).toBe(false)
  })
})

describe('the parameters of v1', () => {
  it.each([
    [{}, true],
    [{ page: 1, size: 9_999, status: 'nothing has this', q: '<b>' }, true],
    [{ page: 0 }, false],
    [{ size: 1.5 }, false],
    [{ q: ['twice', 'given'] }, false],
  ])('of the list: %j', (query, allowed) => expect(Compile(MonitorListQuery).Check(query)).toBe(allowed))

  it.each([
    [{ limit: 500, order: 'desc', monitor_id: 'a', cursor: 'b' }, true],
    [{ limit: 501 }, false],
    [{ limit: 0 }, false],
    [{ order: 'DESC' }, false],
  ])('of the history: %j', (query, allowed) => expect(Compile(HistoryQuery).Check(query)).toBe(allowed))

  it.each([
    [0, true],
    [4_294_967_295, true],
    [4_294_967_296, false],
    [-1, false],
    [1.5, false],
  ])('of one monitor: %j', (id, allowed) => expect(Compile(MonitorPath).Check({ id })).toBe(allowed))
})
