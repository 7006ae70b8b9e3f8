// views/status-pages/incident-draft.ts: what a person types about an incident, and the resource that is made of it. Pure.
import { v2 } from '@pulseward/contract'

export type Spec = v2.StatusIncident['spec']

export interface Draft {
  readonly title: string
  readonly phase: v2.IncidentPhase
  readonly text: string
  /** Of each component of the page; without an entry the incident does not touch it. */
  readonly states: Readonly<Record<string, v2.WrittenState>>
}

/** A new one, about these components. */
export function newDraft(components: readonly v2.StatusComponent[]): Draft {
  const names = components.map(({ name }) => name).join(', ')
  return {
    title: names === '' ? '' : `Trouble with ${names}`,
    phase: 'investigating',
    text: '',
    states: Object.fromEntries(components.map((component) => [component.id, v2.stateToWrite(component)])),
  }
}

/** The next update of one that goes on. */
export function nextDraft({ title, updates, components = [] }: Spec): Draft {
  return {
    title,
    phase: updates.at(-1)?.phase ?? 'investigating',
    text: '',
    states: Object.fromEntries(components.map(({ id, state = 'operational' }) => [id, state])),
  }
}

export interface DraftMistake {
  readonly field: 'title' | 'text'
  readonly sentence: string
}

export function mistakeIn({ title, text }: Draft): DraftMistake | null {
  if (title.trim() === '') return { field: 'title', sentence: 'Give it a title: customers see it first.' }
  return text.trim() === '' ? { field: 'text', sentence: 'Write what customers should know.' } : null
}

/** `before`: the incident that goes on; null for a new one on the page. */
export function specOf(draft: Draft, page: string, before: Spec | null, nowMs: number): Spec {
  const { title, phase, text, states } = draft
  const lastMs = Date.parse(before?.updates.at(-1)?.at ?? '') || 0
  const at = new Date(Math.max(nowMs, lastMs)).toISOString()
  return {
    ...(before ?? { pageRef: page }),
    title: title.trim(),
    components: Object.entries(states).map(([id, state]) => ({ id, state })),
    updates: [...(before?.updates ?? []), { at, phase, text }],
  }
}

export function isOpen({ spec }: Pick<v2.StatusIncident, 'spec'>): boolean {
  return spec.maintenance === undefined && spec.updates.at(-1)?.phase !== 'resolved'
}

/** Part of an address, so it says what it is about. `random`: what makes it its own. */
export function idFrom(title: string, random: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
  return words === '' ? random : `${words}-${random}`
}
