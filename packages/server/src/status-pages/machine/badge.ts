// status-pages/machine/badge.ts: a small picture of one figure, and the same as JSON for shields.io. It has the label that
// somebody wrote and the figure, and nothing else.
import type { BadgeDefinition, BadgeFigure } from '../../config/fleet-file/status-page.ts'
import type { ComponentState } from '../component-state.ts'
import { escaped } from '../page/markup.ts'
import { percent } from '../page/page-words.ts'
import type { RenderFile } from '../page-content.ts'
import type { ComponentView } from '../page-view.ts'
import type { Rendered } from '../ready-file.ts'

interface Badge {
  readonly label: string
  readonly message: string
  readonly color: keyof typeof colors
}

/** Dark enough for white words, by the names that shields.io has for them. */
const colors = {
  green: '#17724a',
  yellow: '#8a5600',
  orange: '#b9301a',
  red: '#a3123a',
  blue: '#2f5bea',
  lightgrey: '#57618a',
} as const

const stateWords: Readonly<Record<ComponentState, Pick<Badge, 'message' | 'color'>>> = {
  operational: { message: 'operational', color: 'green' },
  under_maintenance: { message: 'maintenance', color: 'blue' },
  no_data: { message: 'no data', color: 'lightgrey' },
  degraded_performance: { message: 'degraded', color: 'yellow' },
  partial_outage: { message: 'partial outage', color: 'orange' },
  major_outage: { message: 'major outage', color: 'red' },
}

const labels: Readonly<Record<BadgeFigure, string>> = {
  status: 'status',
  'uptime-24h': 'uptime 24 h',
  'uptime-7d': 'uptime 7 d',
  'uptime-30d': 'uptime 30 d',
  'uptime-90d': 'uptime 90 d',
  latency: 'latency',
}

const notFound: Badge = { label: 'badge', message: 'not found', color: 'lightgrey' }

/** The files of a badge, by their endings. */
export function badgeFiles({ shows, label }: Pick<BadgeDefinition, 'shows' | 'label'>): RenderFile {
  return ({ groups }, ending) => {
    const component = groups[0]?.components[0]
    if (component === undefined) return null
    return badgeFile({ label: label ?? labels[shows], ...figureOf(component, shows) }, ending)
  }
}

/** What is sent for a key that nobody has. */
export function unknownBadge(ending: string): Rendered | null {
  return badgeFile(notFound, ending)
}

function figureOf(component: ComponentView, shows: BadgeFigure): Pick<Badge, 'message' | 'color'> {
  switch (shows) {
    case 'status':
      return stateWords[component.state]
    case 'latency': {
      const { latencyMs } = component
      return latencyMs === null ? stateWords.no_data : { message: `${latencyMs} ms`, color: 'blue' }
    }
    case 'uptime-24h':
      return uptimeWords(component.uptimeOf24Hours)
    case 'uptime-7d':
      return uptimeWords(component.uptimeOf7Days)
    case 'uptime-30d':
      return uptimeWords(component.uptimeOf30Days)
    case 'uptime-90d':
      return uptimeWords(component.uptime)
  }
}

function uptimeWords(share: number | null): Pick<Badge, 'message' | 'color'> {
  if (share === null) return stateWords.no_data
  const color = share >= 0.999 ? 'green' : share >= 0.99 ? 'yellow' : share >= 0.95 ? 'orange' : 'red'
  return { message: `${percent(share, 'en-GB')} %`, color }
}

function badgeFile(badge: Badge, ending: string): Rendered | null {
  if (ending === 'svg') return { type: 'image/svg+xml; charset=utf-8', body: svgOf(badge), isOpen: true }
  if (ending !== 'json') return null
  const body = { schemaVersion: 1, ...badge, ...(badge === notFound ? { isError: true } : {}) }
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body), isOpen: true }
}

const padding = 6
const characterWidth = 6.6

/** Flat, 20 pixels high. The words are fitted into their half, whatever font there is. */
function svgOf({ label, message, color }: Badge): string {
  const half = (text: string) => Math.round([...text].length * characterWidth) + 2 * padding
  const [left, right] = [half(label), half(message)]
  const words = (text: string, from: number, width: number) =>
    `<text x="${from + width / 2}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`
  const title = escaped(`${label}: ${message}`)
  const size = `width="${left + right}" height="20"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${left + right} 20" role="img" aria-label="${title}">`,
    `<title>${title}</title><clipPath id="r"><rect ${size} rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#4a5362"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${colors[color]}"/></g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    `${words(label, 0, left)}${words(message, left, right)}</g></svg>`,
  ].join('')
}
