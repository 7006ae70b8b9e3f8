// controls/freeze-enabled.ts: freezes the items of a bulk enable or disable: the monitors and their versions,
// at one position. Enabling and disabling is a merge patch of spec.enabled, so an item is the monitor as it
// will be. Monitors of fleet files are changed in their files: a selector does not choose them.
import type { v2 } from '@pulseward/contract'
import type { Registry } from '../managing/registry.ts'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import { refusal, type V2FieldError, V2Problem } from '../requests/v2-problem.ts'
import type { StoredResource } from '../store/resource.ts'
import type { Store } from '../store/store.ts'
import { selectorOf } from './control-verbs.ts'
import type { FrozenItem } from './frozen.ts'

type Control = v2.ControlOperation['control']

export interface FreezeOptions {
  readonly store: Pick<Store, 'listResources' | 'readResource'>
  readonly registry: Registry
  /** The last committed change. */
  readonly lastChange: () => number
}

const monitorsAtOnce = 1_000

/** Throws a problem for an invalid selector, and for ids that do not exist. */
export async function* freezeControl(
  control: Control,
  enabled: boolean,
  options: FreezeOptions,
): AsyncGenerator<FrozenItem[]> {
  const chosen =
    control.ids === undefined ? bySelector(control.selector ?? '', options) : byId(control.ids, options)
  for await (const monitors of chosen) yield monitors.map((monitor) => frozen(monitor, enabled))
}

async function* bySelector(
  text: string,
  { store, lastChange }: FreezeOptions,
): AsyncGenerator<StoredResource[]> {
  const clauses = selectorOf(text)
  const upToChange = lastChange()
  const selector = clauses.length === 0 ? null : clauses
  for (let afterId: string | null = null; ; ) {
    const query = { kind: 'Monitor', upToChange, afterId, limit: monitorsAtOnce, selector } as const
    const page = await store.listResources(query)
    if (page === 'expired')
      throw new V2Problem('unavailable', 'Too much was written while the monitors were chosen; try again.')
    yield [...page.resources]
    afterId = page.resources.at(-1)?.id ?? null
    if (!page.more || afterId === null) return
  }
}

async function* byId(
  ids: readonly string[],
  { store, registry }: FreezeOptions,
): AsyncGenerator<StoredResource[]> {
  const distinct = [...new Set(ids)]
  const found = await Promise.all(distinct.map((id) => store.readResource('Monitor', id)))
  const mistakes = distinct.flatMap((id, index): V2FieldError[] => {
    if (found[index] !== null) return []
    const field = `/control/ids/${ids.indexOf(id)}`
    return registry.isFromFile('Monitor', id)
      ? [{ field, reason: 'notAllowed', message: 'names a monitor of a fleet file; change it there' }]
      : [{ field, reason: 'notFound', message: 'names a monitor that does not exist' }]
  })
  if (mistakes.length > 0) throw refusal('invalidResource', 'body', mistakes)
  yield found.filter((monitor) => monitor !== null)
}

function frozen({ id, name, labels, spec, change }: StoredResource, enabled: boolean): FrozenItem {
  const patched = canonicalJson({ ...JSON.parse(spec), enabled })
  return { id, name, labels: canonicalJson(labels), spec: patched, change }
}
