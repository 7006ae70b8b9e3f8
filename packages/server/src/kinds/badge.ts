// kinds/badge.ts: the kind Badge: a small picture of one figure, found by the digest of its key.
import type { v2 } from '@pulseward/contract'
import { missingName } from '../config/fleet-file/reference-words.ts'
import type { BadgeDefinition } from '../config/fleet-file/status-page.ts'
import type { FieldError } from '../config/shape/explain.ts'
import { missingOne, rule } from './field-error.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { keysOfKind } from './references.ts'
import type { Surroundings } from './surroundings.ts'

type Spec = v2.Badge['spec']

export const badgeKind = defineKind<'Badge'>({
  names: ({ componentRef, monitorRef }) => [
    ...keysOfKind('StatusPage', componentRef === undefined ? [] : [componentRef.split('/')[0]!]),
    ...keysOfKind('Monitor', monitorRef === undefined ? [] : [monitorRef]),
  ],
  judge:
    () =>
    ({ metadata, spec }, around) => [
      ...idErrors(metadata),
      ...subjectErrors(spec),
      ...componentErrors(spec, around),
      ...missingOne(around, 'Monitor', spec.monitorRef, '/spec/monitorRef'),
    ],
  head: {
    name: 'badges',
    section: 'badges',
    toFleet: ({ componentRef, monitorRef, shows, label, keyDigest }) => {
      const [page = '', id = ''] = componentRef?.split('/') ?? []
      const subject = monitorRef === undefined ? { page, id } : { monitor: monitorRef }
      return { subject, shows, label: label ?? null, keyDigest }
    },
    toSpec: ({ subject, shows, label, keyDigest }: BadgeDefinition) => ({
      ...('monitor' in subject
        ? { monitorRef: subject.monitor }
        : { componentRef: `${subject.page}/${subject.id}` }),
      shows,
      ...(label === null ? {} : { label }),
      keyDigest,
    }),
  },
})

function subjectErrors({ componentRef, monitorRef }: Spec): FieldError[] {
  if ((componentRef === undefined) !== (monitorRef === undefined)) return []
  const both = componentRef !== undefined
  return [
    rule(
      '/spec',
      `names ${both ? 'both' : 'neither'} a component ${both ? 'and' : 'nor'} a monitor; name one of them`,
    ),
  ]
}

function componentErrors({ componentRef }: Spec, around: Surroundings): FieldError[] {
  if (componentRef === undefined) return []
  const [page = '', id = ''] = componentRef.split('/')
  const missing = missingOne(around, 'StatusPage', page, '/spec/componentRef')
  const known = around.componentsOf(page)
  if (missing.length > 0 || known === null || known.includes(id)) return missing
  const message = missingName(`component of the status page ${page}`, id, known).replace(/\.$/, '')
  return [{ field: '/spec/componentRef', reason: 'notFound', message }]
}
