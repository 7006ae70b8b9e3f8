// kinds/status-incident.ts: the kind StatusIncident: what people write on a status page about an incident or maintenance. An
// incident goes from update to update until one resolves it; nothing is said of it after that but a postmortem.
import type { v2 } from '@pulseward/contract'
import { missingName } from '../config/fleet-file/reference-words.ts'
import type { FieldError } from '../config/shape/explain.ts'
import { missingOne, rule } from './field-error.ts'
import { defineKind } from './kind.ts'
import { keysOfKind } from './references.ts'
import { statusIdErrors } from './status-id.ts'

type Spec = v2.StatusIncident['spec']

export const statusIncidentKind = defineKind<'StatusIncident'>({
  names: ({ pageRef }) => keysOfKind('StatusPage', [pageRef]),
  judge:
    () =>
    ({ metadata, spec }, around) => [
      ...statusIdErrors(metadata.id),
      ...missingOne(around, 'StatusPage', spec.pageRef, '/spec/pageRef'),
      ...componentErrors(spec, around.componentsOf(spec.pageRef)),
      ...orderErrors(spec),
      ...(spec.maintenance === undefined ? incidentErrors(spec) : maintenanceErrors(spec)),
    ],
})

/** `known`: null if the components of the page are not known here. */
function componentErrors({ components = [], pageRef }: Spec, known: readonly string[] | null): FieldError[] {
  const seen = new Set<string>()
  return components.flatMap(({ id }, index) => {
    const field = `/spec/components/${index}/id`
    if (seen.has(id)) return [rule(field, 'is named already; name each component once')]
    seen.add(id)
    if (known === null || known.includes(id)) return []
    const message = missingName(`component of the status page ${pageRef}`, id, known).replace(/\.$/, '')
    return [{ field, reason: 'notFound' as const, message }]
  })
}

function orderErrors({ updates }: Spec): FieldError[] {
  return updates.flatMap(({ at }, index) => {
    const before = updates[index - 1]?.at
    if (before === undefined || Date.parse(before) <= Date.parse(at)) return []
    return [rule(`/spec/updates/${index}/at`, 'is before the update above it; write the oldest first')]
  })
}

function incidentErrors({ components = [], updates, postmortem }: Spec): FieldError[] {
  const resolved = updates.findIndex(({ phase }) => phase === 'resolved')
  return [
    ...(updates.length === 0
      ? [rule('/spec/updates', 'is empty; say at least what is being looked into')]
      : []),
    ...components.flatMap(({ state }, index) =>
      state === undefined
        ? [rule(`/spec/components/${index}/state`, 'is missing; it is what the page says of the component')]
        : [],
    ),
    ...updates.flatMap(({ phase }, index) => {
      const field = `/spec/updates/${index}`
      if (phase === undefined)
        return [rule(`${field}/phase`, 'is missing; it says how far the incident has come')]
      if (resolved === -1 || index <= resolved) return []
      const { at } = updates[resolved]!
      return [
        rule(field, `comes after the incident was resolved at ${at}; write a new incident, or a postmortem`),
      ]
    }),
    ...(postmortem !== undefined && resolved === -1
      ? [
          rule(
            '/spec/postmortem',
            'is for an incident that is resolved; add an update that resolves it first',
          ),
        ]
      : []),
  ]
}

function maintenanceErrors({ components = [], updates, maintenance, postmortem }: Spec): FieldError[] {
  const { from, until } = maintenance!
  return [
    ...(Date.parse(from) < Date.parse(until)
      ? []
      : [rule('/spec/maintenance/until', 'is not after the beginning of the maintenance')]),
    ...components.flatMap(({ state }, index) =>
      state === undefined
        ? []
        : [
            rule(
              `/spec/components/${index}/state`,
              'is for an incident; components in maintenance are shown as such',
            ),
          ],
    ),
    ...updates.flatMap(({ phase }, index) =>
      phase === undefined
        ? []
        : [rule(`/spec/updates/${index}/phase`, 'is for an incident; maintenance goes by its time')],
    ),
    ...(postmortem === undefined
      ? []
      : [rule('/spec/postmortem', 'is for an incident, not for maintenance')]),
  ]
}
