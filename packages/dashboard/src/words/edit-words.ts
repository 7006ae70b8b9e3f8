// words/edit-words.ts: who created, changed or deleted a monitor, in plain words.
import type { v2 } from '@pulseward/contract'

type Edit = Pick<v2.Event, 'kind' | 'actor'>

const verbs: Partial<Readonly<Record<v2.Event['kind'], string>>> = {
  resource_created: 'created',
  resource_updated: 'changed',
  resource_deleted: 'deleted',
}

export function describeEdit({ kind, actor }: Edit): string {
  return `${actor ?? 'Pulseward'} ${verbOf(kind)} it`
}

/** Used where the person is shown separately. */
export function describeEditOnly({ kind }: Pick<Edit, 'kind'>): string {
  return `The monitor was ${verbOf(kind)}`
}

function verbOf(kind: v2.Event['kind']): string {
  // A newer service may have more kinds: its own word is better than none.
  return verbs[kind] ?? kind.replaceAll('_', ' ')
}
