// status-pages/status-pages.ts: the pages of the fleet in force, found by their names and hosts.
import type {
  BadgeDefinition,
  StatusComponent,
  StatusPageDefinition,
} from '../config/fleet-file/status-page.ts'
import { badgeKeyDigest } from '../config/fleet-file/status-page-definition.ts'
import type { FleetHead } from '../fleet/fleet-change.ts'
import { LivePage, type PageSource } from './live-page.ts'
import { badgeFiles } from './machine/badge.ts'

interface Badge {
  readonly definition: BadgeDefinition
  readonly component: StatusComponent
  readonly page: LivePage
}

/** What a page has that a badge does not show. */
const bare = {
  title: '',
  host: null,
  tokenDigests: [],
  timezone: 'UTC',
  language: 'en',
  words: null,
  logo: null,
  links: [],
} as const

export interface StatusPagesOptions extends PageSource {
  readonly fleet: PageSource['fleet'] & { readonly loaded: boolean }
  /** Whether the fleet is loaded, and what the previous process left is restored. */
  readonly isReady: () => boolean
  /** Where people reach the service; null if it does not know. */
  readonly publicUrl: string | null
  /** Names of the service itself: a page with one of them would hide everything else. */
  readonly ownHosts: ReadonlySet<string>
}

export class StatusPages {
  readonly #options: StatusPagesOptions
  #definitions: ReadonlyMap<string, StatusPageDefinition> = new Map()
  #pages: ReadonlyMap<string, LivePage> = new Map()
  #byHost: ReadonlyMap<string, LivePage> = new Map()
  /** By the digests of their keys, so the time tells nothing about a key. */
  #badges: ReadonlyMap<string, Badge> = new Map()

  constructor(options: StatusPagesOptions) {
    this.#options = options
  }

  get isReady(): boolean {
    return this.#options.isReady()
  }

  get hasPages(): boolean {
    return this.#pages.size > 0
  }

  /** Whether any page has a host of its own. */
  get hasHosts(): boolean {
    return this.#byHost.size > 0
  }

  find(id: string): LivePage | null {
    return this.#pages.get(id) ?? null
  }

  atHost(host: string): LivePage | null {
    return this.#byHost.get(host) ?? null
  }

  /** Null if no badge has the key. */
  badge(key: string): LivePage | null {
    if (this.#badges.size === 0) return null
    return this.#badges.get(badgeKeyDigest(key))?.page ?? null
  }

  /** Monitors or pages were added, removed or changed. A page that stays as it was written keeps what it knows. */
  fleetChanged(): void {
    const { fleet } = this.#options
    const { statusPages } = fleet.definition
    this.#followBadges(fleet.definition)
    if (statusPages === this.#definitions) {
      for (const page of this.#pages.values()) page.fleetChanged()
      return
    }
    const [before, pages] = [this.#definitions, this.#pages]
    this.#definitions = statusPages
    this.#pages = new Map(
      [...statusPages].map(([id, definition]) => {
        const known =
          JSON.stringify(before.get(id)) === JSON.stringify(definition) ? pages.get(id) : undefined
        known?.fleetChanged()
        return [id, known ?? new LivePage(id, this.#urlOf(id, definition), definition, this.#options)]
      }),
    )
    this.#byHost = this.#hostsOf(statusPages)
  }

  /** A badge is a page of one component with other files. One whose component is gone is not found. */
  #followBadges({ badges, statusPages }: FleetHead): void {
    const before = this.#badges
    this.#badges = new Map(
      [...badges.values()].flatMap((definition) => {
        const component = componentFor(definition, statusPages)
        if (component === null) return []
        const { keyDigest } = definition
        const known = before.get(keyDigest)
        const isSame =
          known !== undefined &&
          JSON.stringify([known.definition, known.component]) === JSON.stringify([definition, component])
        if (isSame) known.page.fleetChanged()
        return [[keyDigest, isSame ? known : this.#badgeOf(definition, component)]]
      }),
    )
  }

  #badgeOf(definition: BadgeDefinition, component: StatusComponent): Badge {
    const groups = [{ name: '', components: [component] }]
    // What people wrote about the component counts here too.
    const pageId = 'page' in definition.subject ? definition.subject.page : ''
    const page = new LivePage(pageId, '', { ...bare, groups }, this.#options, badgeFiles(definition))
    return { definition, component, page }
  }

  #hostsOf(definitions: ReadonlyMap<string, StatusPageDefinition>): Map<string, LivePage> {
    const { ownHosts, log } = this.#options
    const found = new Map<string, LivePage>()
    for (const [id, { host }] of definitions) {
      if (host === null) continue
      if (!ownHosts.has(host)) found.set(host, this.#pages.get(id)!)
      else
        log.error(
          { page: id, host },
          'the host of a status page is a name of the service itself, so the page is only below /status/: give it a host of its own',
        )
    }
    return found
  }

  #urlOf(id: string, { host }: StatusPageDefinition): string {
    if (host !== null) return `https://${host}/`
    return `${this.#options.publicUrl?.replace(/\/+$/, '') ?? ''}/status/${id}/`
  }
}

const usualShare = 0.5

/** A badge of a monitor is one of a component that has this monitor alone. Null if the component is not there. */
function componentFor(
  { subject }: BadgeDefinition,
  pages: ReadonlyMap<string, StatusPageDefinition>,
): StatusComponent | null {
  if ('monitor' in subject) {
    const { monitor } = subject
    return {
      id: 'monitor',
      name: 'monitor',
      description: null,
      monitors: [monitor],
      match: null,
      downShare: usualShare,
      auto: false,
    }
  }
  const components = pages.get(subject.page)?.groups.flatMap((group) => group.components) ?? []
  return components.find(({ id }) => id === subject.id) ?? null
}
