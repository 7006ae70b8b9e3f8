// config/fleet-file/status-page.ts: status pages as plain data: what customers see of a fleet, and which monitors it is
// made from. Nothing but what is named here can ever be on a page.

import { v2 } from '@pulseward/contract'

export const languages = v2.statusLanguages
/** Of the words that are the same on every page. */
export type Language = (typeof languages)[number]

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
  readonly timezone: string
  readonly language: Language
  readonly groups: readonly StatusGroup[]
  readonly links: readonly StatusLink[]
}
