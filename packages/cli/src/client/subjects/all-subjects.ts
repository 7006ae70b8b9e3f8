// client/subjects/all-subjects.ts: everything that `pulseward get` shows, by name.
import { nearestName, UsageError } from '@pulseward/server'
import { pools, queues, systems } from './controller.ts'
import { incidents, overview } from './fleet.ts'
import { monitor, monitors } from './monitors.ts'
import { operations } from './operations.ts'
import { config, history, slo, state } from './records.ts'
import type { Subject } from './subject.ts'
import { actions, resources, workers } from './v2-lists.ts'

export const subjects: Readonly<Record<string, Subject>> = {
  overview,
  monitors,
  monitor,
  incidents,
  systems,
  queues,
  pools,
  config,
  state,
  history,
  slo,
  ...resources,
  actions,
  operations,
  workers,
}

const byName = new Map<string, Subject>()
for (const [name, subject] of Object.entries(subjects)) {
  for (const one of [name, ...(subject.aliases ?? [])]) byName.set(one, subject)
}

export function findSubject(name: string): Subject {
  const found = byName.get(name.toLowerCase())
  if (found !== undefined) return found
  const nearest = nearestName(name, byName.keys())
  const hint =
    nearest === null ? ` There are ${Object.keys(subjects).join(', ')}.` : ` Did you mean ${nearest}?`
  throw new UsageError(`There is no "${name}" to get.${hint}`)
}
