// import/page-draft.ts: a status page of another program in the terms of a fleet file: groups of components, each of which is
// made from what became of one monitor there.
import { isIP } from 'node:net'
import { v2 } from '@pulseward/contract'
import { slug, UniqueNames } from './ids.ts'
import type { Notes } from './notes.ts'

interface ComponentDraft {
  readonly id: string
  readonly name: string
  /** Ids of monitors of the draft. */
  readonly monitors: readonly string[]
}

interface GroupDraft {
  readonly name: string
  readonly components: readonly ComponentDraft[]
}

export interface PageDraft {
  readonly title: string
  readonly host?: string
  readonly groups: readonly GroupDraft[]
}

/** A group as the other program has it: what its monitors are called, and what became of each. */
export interface SourceGroup {
  readonly name: string
  readonly members: readonly { readonly name: string; readonly monitors: readonly string[] }[]
}

const longestText = 128
const longestId = 63
const mostGroups = 32
const mostComponents = 128

/** `subject`: what notes call the page. */
export function pageDraft(
  title: string,
  groups: readonly SourceGroup[],
  { subject, notes }: { readonly subject: string; readonly notes: Notes },
): PageDraft {
  const ids = new UniqueNames()
  if (groups.length > mostGroups)
    notes.add(subject, 'groups', `are not all carried over: a page has at most ${mostGroups}`)
  return {
    title: shownText(title, 'Status'),
    groups: groups.slice(0, mostGroups).map(({ name, members }) => {
      if (members.length > mostComponents)
        notes.add(
          subject,
          name,
          `is not carried over as a whole: a group has at most ${mostComponents} components`,
        )
      return {
        name: shownText(name, 'Services'),
        components: members.slice(0, mostComponents).map((member) => ({
          id: ids.make(pageId(member.name, 'component')),
          name: shownText(member.name, 'Component'),
          monitors: member.monitors,
        })),
      }
    }),
  }
}

/** Without what did not become a monitor; null if nothing is left. */
export function withMonitors(page: PageDraft, isThere: (id: string) => boolean): PageDraft | null {
  const groups = page.groups.flatMap(({ name, components }) => {
    const kept = components.flatMap((component) => {
      const monitors = component.monitors.filter(isThere)
      return monitors.length === 0 ? [] : [{ ...component, monitors }]
    })
    return kept.length === 0 ? [] : [{ name, components: kept }]
  })
  return groups.length === 0 ? null : { ...page, groups }
}

/** Part of an address; short enough that a number can follow. */
export function pageId(name: string, fallback: string): string {
  return slug(name, fallback)
    .slice(0, longestId - 7)
    .replace(/-+$/, '')
}

/** Null if it cannot be the host of a page. */
export function pageHost(domain: string): string | null {
  const host = domain.trim().toLowerCase()
  return host.length <= 253 && new RegExp(v2.statusHostPattern).test(host) && isIP(host) === 0 ? host : null
}

function shownText(text: string, fallback: string): string {
  const shown = text
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  return shown.slice(0, longestText).toWellFormed().trim() || fallback
}
