// config/fleet-file/status-page.ts: status pages as plain data: what customers see of a fleet, and which monitors it is
// made from. Nothing but what is named here can ever be on a page.

import { v2 } from '@pulseward/contract'

/** Words that are the same on every page, by their names in status-page-words.ts. */
export type PageTexts = Readonly<Record<string, string>>

/** A picture that was judged by status-page-logo.ts. */
export interface PageLogo {
  readonly type: v2.LogoType
  /** Its bytes in base64. */
  readonly data: string
}

export interface StatusComponent {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** Ids of monitors. */
  readonly monitors: readonly string[]
  /** Labels that its monitors have; the key `tag` stands for a tag. Null: only those that are named. */
  readonly match: Readonly<Record<string, string>> | null
  /** From which share of monitors that are down an outage is said to be partial: above 0, at most 1. */
  readonly downShare: number
  /** Whether the page says by itself that it is down, after a while. */
  readonly auto: boolean
}

export interface StatusGroup {
  readonly name: string
  readonly components: readonly StatusComponent[]
}

export interface StatusLink {
  readonly name: string
  readonly url: string
}

export const badgeFigures = v2.badgeFigures
/** What a badge says. */
export type BadgeFigure = (typeof badgeFigures)[number]

export interface BadgeDefinition {
  readonly subject: { readonly page: string; readonly id: string } | { readonly monitor: string }
  readonly shows: BadgeFigure
  /** Null: what it shows. */
  readonly label: string | null
  /** The SHA-256 of the key in its address, in hexadecimal. */
  readonly keyDigest: string
}

export interface StatusPageDefinition {
  readonly title: string
  /** The host name that shows the page and nothing else; null if there is none. */
  readonly host: string | null
  /** The SHA-256 of each token that opens it, in hexadecimal; empty if everybody may read it. */
  readonly tokenDigests: readonly string[]
  readonly timezone: string
  readonly language: string
  /** In its language, all of them; null: those that the service has. */
  readonly words: PageTexts | null
  readonly logo: PageLogo | null
  readonly groups: readonly StatusGroup[]
  readonly links: readonly StatusLink[]
}
