// v1/monitor-list.ts: a page of monitors that match, in the order of the code points of their names, then id, unless
// another was asked for.
import { type Static, type TSchema, Type } from 'typebox'
import { MainMonitorRow, MonitorRow, NextMonitorRow } from './monitor-row.ts'
import { pageFields } from './page.ts'
import { field, Text } from './values.ts'

const filters = field(
  Type.Object({
    status: Type.Optional(Text),
    type: Type.Optional(Text),
    code: Type.Optional(Text),
    snoozed: Type.Optional(Text),
    q: Type.Optional(Text),
    tells_nobody: Type.Optional(Text),
    tag: Type.Optional(Text),
    label: Type.Optional(Text),
    told: Type.Optional(Text),
    group: Type.Optional(Text),
  }),
  'The filters in force, as they were given.',
)

function listOf<Row extends TSchema>(row: Row) {
  return Type.Object(
    { ...pageFields, filters, monitors: Type.Array(row, { description: 'The monitors of this page.' }) },
    {
      description:
        'A page of monitors, ordered by the code points of the name, then id, unless sorted by another field.',
    },
  )
}

export const MonitorList = listOf(MonitorRow)
export const MainMonitorList = listOf(MainMonitorRow)
export const NextMonitorList = listOf(NextMonitorRow)

export type MonitorList = Static<typeof MonitorList>
export type MainMonitorList = Static<typeof MainMonitorList>
export type NextMonitorList = Static<typeof NextMonitorList>
