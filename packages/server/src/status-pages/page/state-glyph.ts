// status-pages/page/state-glyph.ts: a sign for each state, so that none is told by its color alone.
import type { ComponentState } from '../component-state.ts'

/** Drawn in a square of 16. */
const shapes: Readonly<Record<ComponentState, string>> = {
  operational: '<circle cx="8" cy="8" r="8"/><path class="on" d="M4.5 8.3l2.4 2.4 4.6-5"/>',
  under_maintenance: '<rect width="16" height="16" rx="3"/><path class="on" d="M5 11l6-6M5 5l6 6"/>',
  no_data: '<circle cx="8" cy="8" r="6.8" class="ring"/><path class="line" d="M4.8 8h6.4"/>',
  degraded_performance: '<path d="M8 .8L15.8 15H.2z"/><path class="on" d="M8 6v4.2M8 12.2v.6"/>',
  partial_outage: '<path d="M8 0l8 8-8 8-8-8z"/><path class="on" d="M8 4.4v4.4M8 11v.6"/>',
  major_outage: '<circle cx="8" cy="8" r="8"/><path class="on" d="M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6"/>',
}

const drawn: Readonly<Record<string, string>> = {
  on: 'fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"',
  ring: 'fill="none" stroke="currentColor" stroke-width="2.2" stroke-dasharray="3.2 2.2"',
  line: 'fill="none" stroke="currentColor" stroke-width="2.2"',
}

/** In the color of the text around it. */
export function stateGlyph(state: ComponentState): string {
  const shape = shapes[state].replace(/class="(\w+)"/g, (_, name: string) => drawn[name] ?? '')
  return `<svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">${shape}</svg>`
}

const iconColors: Readonly<Record<ComponentState, string>> = {
  operational: '#17724a',
  under_maintenance: '#2f5bea',
  no_data: '#57618a',
  degraded_performance: '#8a5600',
  partial_outage: '#b9301a',
  major_outage: '#a3123a',
}

/** The icon of the page in a browser's tab. */
export function stateIcon(state: ComponentState): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${iconColors[state]}"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
