// crash/crash-resource.ts: one resource that is written through v2 while the service is killed, and what its writer knows
// about it: the last confirmed write, and the requests that were never answered. Pure: it sends nothing.

export type WrittenKind = 'Monitor' | 'NotificationEndpoint' | 'NotificationGroup' | 'Credential'

/** A resource as its writer sent it. Its labels contain a unique mark. */
export interface SentResource {
  readonly metadata: { readonly id: string; readonly labels: { readonly mark: string } }
  readonly spec: object
}

/** Null: the resource is deleted. */
export interface Attempt {
  readonly verb: 'Create' | 'Replace' | 'Patch' | 'Delete'
  readonly sent: SentResource | null
}

export interface ShownResource {
  readonly metadata: {
    readonly id: string
    readonly uid: string
    readonly resourceVersion: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly spec: object
}

export interface ResourceEvent {
  readonly kind: string
  readonly actor?: string
  readonly resource?: { readonly kind: string; readonly id: string; readonly uid?: string }
}

export class CrashResource {
  readonly kind: WrittenKind
  readonly id: string
  /** Requests on one version that were not answered. */
  open: readonly Attempt[] = []
  #sent: SentResource | null = null
  #version: string | null = null
  /** How many writes were made. */
  #changes = 0

  constructor(kind: WrittenKind, id: string) {
    this.kind = kind
    this.id = id
  }

  /** Null if it does not exist. */
  get version(): string | null {
    return this.#version
  }

  get sent(): SentResource | null {
    return this.#sent
  }

  made({ sent }: Attempt, version: string | null): void {
    this.#sent = sent
    this.#version = version
    this.#changes++
  }

  /**
   * Compares what a later process shows (null for nothing) with what the writer knows: it must be the last
   * confirmed state, or the complete state of one unanswered request. Returns how many unanswered requests
   * took effect, and what is wrong.
   */
  resolve(shown: ShownResource | null): { readonly found: number; readonly wrong: readonly string[] } {
    const open = this.open
    this.open = []
    const name = `${this.kind} ${this.id}`
    if ((shown?.metadata.resourceVersion ?? null) === this.#version)
      return { found: 0, wrong: isShownAs(shown, this.#sent) ? [] : [`${name} is not what was answered`] }
    const mark = shown?.metadata.labels?.['mark'] ?? null
    const attempt = open.find(({ sent }) => (sent?.metadata.labels.mark ?? null) === mark)
    if (attempt === undefined)
      return {
        found: 0,
        wrong: [`${name} is ${mark ?? 'gone'}, which nobody asked for since its last answer`],
      }
    this.made(attempt, shown?.metadata.resourceVersion ?? null)
    return { found: 1, wrong: isShownAs(shown, attempt.sent) ? [] : [`${name} is there, and not whole`] }
  }

  /** Every write left one event with its actor; the last event says whether the resource exists. */
  judgeEvents(events: readonly ResourceEvent[], actor: string): readonly string[] {
    const own = events.filter(({ resource }) => resource?.kind === this.kind && resource.id === this.id)
    const name = `${this.kind} ${this.id}`
    const wrong: string[] = []
    if (own.length !== this.#changes)
      wrong.push(`${name} has ${own.length} events of ${this.#changes} writes`)
    if (own.some((event) => event.actor !== actor)) wrong.push(`an event of ${name} has another actor`)
    const isThere = own.length > 0 && own.at(-1)?.kind !== 'resource_deleted'
    if (isThere !== (this.#version !== null)) wrong.push(`the last event of ${name} is ${own.at(-1)?.kind}`)
    return wrong
  }
}

function isShownAs(shown: ShownResource | null, sent: SentResource | null): boolean {
  if (shown === null || sent === null) return shown === sent
  const { value: _, ...open } = sent.spec as Record<string, unknown>
  return (
    inOrder(shown.spec) === inOrder(open) && inOrder(shown.metadata.labels) === inOrder(sent.metadata.labels)
  )
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}
