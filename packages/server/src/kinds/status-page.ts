// kinds/status-page.ts: the kind StatusPage: what customers see of a fleet.
import type { v2 } from '@pulseward/contract'
import type { StatusComponent, StatusPageDefinition } from '../config/fleet-file/status-page.ts'
import { statusPageDefinition } from '../config/fleet-file/status-page-definition.ts'
import type { FieldError } from '../config/shape/explain.ts'
import { quote } from '../platform/wording.ts'
import { missingFrom, rule } from './field-error.ts'
import { defineKind } from './kind.ts'
import { badgesOf } from './named-in-fleet.ts'
import { keysOfKind } from './references.ts'
import { statusIdErrors } from './status-id.ts'
import { statusPageDocument, statusPageErrors } from './status-page-document.ts'

type Spec = v2.StatusPage['spec']

export const statusPageKind = defineKind<'StatusPage'>({
  names: ({ groups }) =>
    keysOfKind(
      'Monitor',
      groups.flatMap(({ components }) => components.flatMap(({ monitorRefs = [] }) => monitorRefs)),
    ),
  judge:
    () =>
    ({ metadata, spec }, around) => [
      ...statusIdErrors(metadata.id),
      ...statusPageErrors(spec),
      ...hostErrors(spec, around.pageAtHost(spec.host ?? '', metadata.id)),
      ...spec.groups.flatMap(({ components }, group) =>
        components.flatMap(({ monitorRefs }, number) =>
          missingFrom(
            around,
            'Monitor',
            monitorRefs,
            `/spec/groups/${group}/components/${number}/monitorRefs`,
          ),
        ),
      ),
    ],
  head: {
    name: 'statusPages',
    section: 'status_pages',
    toFleet: (spec) => statusPageDefinition(statusPageDocument(spec)),
    toSpec: specOf,
  },
  usersIn: badgesOf,
})

function hostErrors({ host }: Spec, other: string | null): FieldError[] {
  if (host === undefined || other === null) return []
  return [
    rule(
      '/spec/host',
      `${quote(host)} is the host of the status page ${quote(other)}; a host shows one page`,
    ),
  ]
}

function specOf(page: StatusPageDefinition): Spec {
  const { title, host, tokenDigests, timezone, language, words, logo, groups, links } = page
  return {
    title,
    ...(host === null ? {} : { host }),
    ...(tokenDigests.length === 0 ? {} : { access: 'token', tokenDigests: [...tokenDigests] }),
    timezone,
    language,
    ...(words === null ? {} : { words: { ...words } }),
    ...(logo === null ? {} : { logo: { ...logo } }),
    groups: groups.map(({ name, components }) => ({ name, components: components.map(componentSpec) })),
    ...(links.length === 0 ? {} : { links: links.map((link) => ({ ...link })) }),
  }
}

function componentSpec(component: StatusComponent): v2.StatusComponent {
  const { id, name, description, monitors, match, downShare, auto } = component
  return {
    id,
    name,
    ...(description === null ? {} : { description }),
    ...(monitors.length === 0 ? {} : { monitorRefs: [...monitors] }),
    ...(match === null ? {} : { match: { ...match } }),
    downWhen: `${Math.round(downShare * 100)}%`,
    ...(auto ? { auto } : {}),
  }
}
