// kinds/status-page-document.ts: a status page of v2 as the entry that a fleet file would have for it, so that one validation
// and one page serve both; and the path of a mistake in an entry back to a JSON pointer into the resource.
import type { v2 } from '@pulseward/contract'
import { statusPageMistakes } from '../config/fleet-file/status-page-rules.ts'
import type { ComponentDocument, StatusPageDocument } from '../config/fleet-file/status-page-schema.ts'
import { asFieldError, type FieldError } from '../config/shape/explain.ts'
import type { Path } from '../config/shape/shape.ts'
import { jsonPointer } from './monitor-document.ts'

export function statusPageDocument({
  groups,
  tokenDigests,
  ...spec
}: v2.StatusPage['spec']): StatusPageDocument {
  return {
    ...spec,
    ...(tokenDigests === undefined ? {} : { token_digests: tokenDigests }),
    groups: groups.map(({ name, components }) => ({ name, components: components.map(componentDocument) })),
  }
}

function componentDocument({ monitorRefs, downWhen, ...rest }: v2.StatusComponent): ComponentDocument {
  return {
    ...rest,
    ...(monitorRefs === undefined ? {} : { monitors: monitorRefs }),
    ...(downWhen === undefined ? {} : { down_when: downWhen }),
  }
}

/** The rules that no schema can express, in terms of v2. */
export function statusPageErrors(spec: v2.StatusPage['spec']): FieldError[] {
  return statusPageMistakes(statusPageDocument(spec)).map((mistake) =>
    asFieldError(mistake, pointerInSpec, 'shown'),
  )
}

const renamed: Readonly<Record<string, string>> = {
  monitors: 'monitorRefs',
  down_when: 'downWhen',
  token_digests: 'tokenDigests',
}

function pointerInSpec(path: Path): string {
  return jsonPointer(['spec', ...path.map((part) => renamed[part] ?? part)])
}
