// deciding/on-call/page-table.ts: the pages that have not ended, and the monitors whose incidents belong to them. It keeps
// its counts and the time of what is due next in step with the pages, and decides nothing.
import { type Severity, severities } from '../../config/fleet-file/on-call.ts'
import type { Health, Instant } from '../health/health.ts'
import { type Standing, standingOf } from './condition.ts'
import { type Condition, dueAt, type Member, type Page } from './page.ts'

/** The open incident of a member, and where it stands. */
export interface OpenMember extends Member {
  /** When its first check failed; null if that is not known. */
  readonly since: Instant | null
  condition: Condition
  acknowledged: Standing['acknowledged']
}

/** A page, how many of its incidents are in each condition, and whether a check of this process has failed. */
export interface PageEntry {
  page: Page
  readonly members: Map<string, OpenMember>
  readonly counts: Record<Condition, number>
  readonly joined: Readonly<Record<Severity, JoinedMembers>>
  isEvident: boolean
}

/** The members of one severity as they joined, those before `first` without; so the first is found without a search. */
interface JoinedMembers {
  readonly inOrder: Pick<Member, 'monitorId' | 'order'>[]
  first: number
}

export class PageTable {
  readonly #pages = new Map<string, PageEntry>()
  readonly #pageOf = new Map<string, string>()
  /** The last page of each policy. */
  readonly #latest = new Map<string, string>()
  #nextAt: Instant | null = null

  /** When something is due; infinite if only an input can change that. */
  get nextDueAt(): Instant {
    this.#nextAt ??= Math.min(...this.#pages.values().map(({ page, isEvident }) => dueAt(page, isEvident)))
    return this.#nextAt
  }

  entries(): Iterable<PageEntry> {
    return this.#pages.values()
  }

  find(page: string): PageEntry | undefined {
    return this.#pages.get(page)
  }

  ofMonitor(monitorId: string): PageEntry | undefined {
    return this.#pages.get(this.#pageOf.get(monitorId) ?? '')
  }

  latestOf(policy: string): PageEntry | undefined {
    return this.#pages.get(this.#latest.get(policy) ?? '')
  }

  add(page: Page, isEvident: boolean): PageEntry {
    const entry: PageEntry = {
      page,
      members: new Map(),
      counts: { open: 0, acknowledged: 0, silent: 0 },
      joined: { critical: nobodyJoined(), warning: nobodyJoined(), info: nobodyJoined() },
      isEvident,
    }
    this.#pages.set(page.id, entry)
    this.#latest.set(page.policy, page.id)
    this.#nextAt = null
    return entry
  }

  remove({ page: { id, policy } }: PageEntry): void {
    this.#pages.delete(id)
    if (this.#latest.get(policy) === id) this.#latest.delete(policy)
    this.#nextAt = null
  }

  replace(entry: PageEntry, page: Page): void {
    entry.page = page
    this.#nextAt = null
  }

  join(entry: PageEntry, member: OpenMember): void {
    entry.members.set(member.monitorId, member)
    entry.counts[member.condition]++
    entry.joined[member.severity].inOrder.push(member)
    this.#pageOf.set(member.monitorId, member.page)
  }

  /** The first to join of those that are worst; null if all have left. */
  worstOf({ joined, members }: PageEntry): OpenMember | null {
    for (const severity of severities) {
      const { inOrder, first } = joined[severity]
      let place = first
      for (; place < inOrder.length; place++) {
        const { monitorId, order } = inOrder[place]!
        const member = members.get(monitorId)
        if (member?.order !== order) continue
        joined[severity].first = place
        return member
      }
      joined[severity].first = place
    }
    return null
  }

  /** The previous process knew the member; where its incident stands follows from its health. */
  restore(member: Member, health: Health | undefined): void {
    const entry = this.#pages.get(member.page)
    if (entry === undefined) return
    const standing = health === undefined ? null : standingOf(health, member.forgotten)
    const { condition = 'open', acknowledged = null, since = null } = standing ?? {}
    this.join(entry, { ...member, condition, acknowledged, since })
  }

  leave(entry: PageEntry, monitorId: string): void {
    entry.counts[entry.members.get(monitorId)!.condition]--
    entry.members.delete(monitorId)
    this.#pageOf.delete(monitorId)
  }

  stand({ counts }: PageEntry, member: OpenMember, { condition, acknowledged }: Standing): void {
    counts[member.condition]--
    counts[condition]++
    member.condition = condition
    member.acknowledged = acknowledged
  }

  /** The page starts again: acknowledgements from before count no longer. Returns whose that were. */
  forgetAcknowledgements({ members, counts }: PageEntry): readonly OpenMember[] {
    const forgotten: OpenMember[] = []
    for (const [monitorId, member] of members) {
      if (member.acknowledged === null || member.acknowledged.at === member.forgotten) continue
      const condition = member.condition === 'acknowledged' ? 'open' : member.condition
      const next = { ...member, condition, forgotten: member.acknowledged.at }
      members.set(monitorId, next)
      forgotten.push(next)
    }
    counts.open += counts.acknowledged
    counts.acknowledged = 0
    return forgotten
  }

  /** The service's clock was set. Returns the members whose records change with it. */
  moveMembers({ members }: PageEntry, stepMs: number): readonly OpenMember[] {
    const moved: OpenMember[] = []
    for (const [monitorId, member] of members) {
      const { acknowledged, forgotten, since } = member
      const next = {
        ...member,
        since: since === null ? null : since + stepMs,
        acknowledged: acknowledged === null ? null : { ...acknowledged, at: acknowledged.at + stepMs },
        forgotten: forgotten === null ? null : forgotten + stepMs,
      }
      members.set(monitorId, next)
      if (forgotten !== null) moved.push(next)
    }
    return moved
  }

  /** A check of this process has failed. */
  trust(entry: PageEntry): void {
    if (entry.isEvident) return
    entry.isEvident = true
    this.#nextAt = null
  }

  trustNone(): void {
    for (const entry of this.#pages.values()) entry.isEvident = false
    this.#nextAt = null
  }
}

function nobodyJoined(): JoinedMembers {
  return { inOrder: [], first: 0 }
}
