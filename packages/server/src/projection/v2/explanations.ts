// projection/v2/explanations.ts: explains resource kinds and drivers by the schemas that validate them. A
// driver is named with its category, such as check.http; its bare name suffices if only one category has it.
import { v2 } from '@pulseward/contract'
import type { DriverShape, DriverShapes } from '../../config/fleet-file/schema.ts'
import type { DriverCategory } from '../../kinds/kind.ts'
import { didYouMean } from '../../platform/nearest-name.ts'

export class Explanations {
  readonly #kinds: ReadonlyMap<string, v2.ResourceKind>
  /** By category and name. */
  readonly #drivers: ReadonlyMap<string, DriverShape>

  constructor({ checks, recoveries, notifiers }: DriverShapes, kinds: readonly v2.ResourceKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind, kind]))
    this.#drivers = new Map([
      ...inCategory('check', checks),
      ...inCategory('recovery', recoveries),
      ...inCategory('notification', notifiers),
    ])
  }

  /** The explanation, or a sentence that says why there is none and what exists instead. */
  explain(id: string): v2.Explanation | string {
    const kind = this.#kinds.get(id)
    if (kind !== undefined) return kindExplanation(kind)
    const names = this.#drivers.has(id) ? [id] : this.#named(id)
    const [name, ...others] = names
    if (name === undefined) return this.#unknown(id)
    const driver = this.#drivers.get(name)
    if (driver === undefined || others.length > 0)
      return `Several categories have such a driver; ask for ${names.join(' or ')}.`
    return { resource: name, description: describe(driver), schema: driver.config }
  }

  /** Drivers of any category with this bare name. */
  #named(bare: string): string[] {
    return [...this.#drivers.keys()].filter((name) => name.slice(name.indexOf('.') + 1) === bare)
  }

  #unknown(id: string): string {
    const kinds = [...this.#kinds.keys()]
    const known = [...kinds, ...this.#drivers.keys()]
    const meant = didYouMean(id, known)
    return `There is no such kind or driver. The kinds are ${kinds.join(', ')}; a driver is named like check.http, recovery.webhook or notification.email, and discovery lists them.${meant}`
  }
}

/** The schema is that of a fleet file, where a secret is a reference inside the options. */
function describe({ summary, config }: DriverShape): string {
  const hasSecrets = JSON.stringify(config).includes('"secret":true')
  return hasSecrets ? `${summary} Where it takes { credential: NAME }, v2 uses credentialRefs.` : summary
}

function inCategory(
  category: DriverCategory,
  drivers: Readonly<Record<string, DriverShape>>,
): [name: string, driver: DriverShape][] {
  return Object.entries(drivers).map(([name, driver]) => [`${category}.${name}`, driver])
}

function kindExplanation(kind: v2.ResourceKind): v2.Explanation {
  const schema = v2.wireTypes[kind]
  const { description = '' } = schema as { description?: string }
  return { resource: kind, description, schema }
}
