// status-pages/page-view.ts: all that a status page shows. Whatever is served of a page, as HTML, JSON, a feed or a badge,
// is made from this and from nothing else, so a field of a monitor can only leave if it is added here.
import type { PageLogo, PageTexts, StatusLink } from '../config/fleet-file/status-page.ts'
import type { ComponentState } from './component-state.ts'
import type { ShownSamples } from './page-samples.ts'
import type { Maintenance } from './planned-maintenance.ts'
import type { WrittenIncident } from './written-incident.ts'

export interface ComponentView extends ShownSamples {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly state: ComponentState
  /** Since when the page shows this state. */
  readonly changedAtMs: number
}

export interface GroupView {
  readonly name: string
  readonly components: readonly ComponentView[]
}

export interface PageView {
  readonly id: string
  /** Its address, with a final slash; as seen from the host of the service if it is not known. */
  readonly url: string
  readonly title: string
  readonly timezone: string
  readonly language: string
  /** Of its language, in place of those that the service has. */
  readonly words: PageTexts | null
  readonly logo: PageLogo | null
  readonly links: readonly StatusLink[]
  readonly state: ComponentState
  readonly groups: readonly GroupView[]
  /** All that people wrote, the newest first. */
  readonly incidents: readonly WrittenIncident[]
  /** Done, in progress and announced, in order of time. */
  readonly maintenance: readonly Maintenance[]
  /** The time by which maintenance is done, in progress or announced. */
  readonly atMs: number
  /** When the page began to be shown, and when anything on it changed last. */
  readonly sinceMs: number
  readonly changedAtMs: number
  /** The last of the days, as a number of days since 1970. */
  readonly today: number
  /** Since when the page is not up to date; null if it is. */
  readonly staleSinceMs: number | null
}

export function* componentsOf({ groups }: Pick<PageView, 'groups'>): Generator<ComponentView> {
  for (const { components } of groups) yield* components
}
