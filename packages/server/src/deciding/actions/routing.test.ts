import { describe, expect, it } from 'vitest'
import type { NotifyDefinition, RouteDefinition } from '../../config/fleet-file/definition.ts'
import { type RoutedFleet, Routing } from './routing.ts'

interface Monitor {
  readonly notify?: NotifyDefinition['colors']
  readonly labels?: Record<string, string>
  readonly tags?: readonly string[]
}

function fleet(monitors: readonly Monitor[], routes: readonly RouteDefinition[] = []): RoutedFleet {
  const of = Uint32Array.from(monitors.keys())
  return {
    notifications: { values: monitors.map(({ notify = {} }) => ({ colors: notify, repeatMs: null })), of },
    labels: { values: monitors.map(({ labels = {} }) => labels), of },
    tags: { values: monitors.map(({ tags = [] }) => tags), of },
    groups: new Map([
      ['ops', ['chat', 'mail']],
      ['leads', ['phone']],
    ]),
    routes,
  }
}

const route = (
  match: Record<string, string>,
  colors: RouteDefinition['colors'],
  groups: string[],
  endpoints: string[] = [],
) => ({
  name: 'a-route',
  match,
  colors,
  destinations: { groups, endpoints },
})

describe('destinations of a color', () => {
  it('are the groups and endpoints that the monitor names, each once', () => {
    const routing = new Routing(
      fleet([{ notify: { red: { groups: ['ops', 'leads'], endpoints: ['mail', 'log'] } } }]),
    )
    expect(routing.destinationsOf(0, 'red')).toEqual(['chat', 'mail', 'phone', 'log'])
    expect(routing.destinationsOf(0, 'green')).toEqual([])
  })

  it('are joined by those of every matching route, each once', () => {
    const routes = [
      route({ team: 'payments' }, ['red', 'green'], ['ops']),
      route({}, ['red'], [], ['log']),
      route({ team: 'search' }, ['red'], ['leads']),
    ]
    const monitor = { notify: { red: { groups: [], endpoints: ['mail'] } }, labels: { team: 'payments' } }
    const routing = new Routing(fleet([monitor], routes))
    expect(routing.destinationsOf(0, 'red')).toEqual(['mail', 'chat', 'log'])
    expect(routing.destinationsOf(0, 'green')).toEqual(['chat', 'mail'])
  })

  it('match only when all labels of the route are equal', () => {
    const routing = new Routing(
      fleet(
        [{ labels: { team: 'payments' } }, { labels: { team: 'payments', tier: '1' } }],
        [route({ team: 'payments', tier: '1' }, ['red'], ['leads'])],
      ),
    )
    expect([routing.destinationsOf(0, 'red'), routing.destinationsOf(1, 'red')]).toEqual([[], ['phone']])
  })

  it('match a tag by the key "tag", and a label of that name not', () => {
    const routing = new Routing(
      fleet(
        [{ tags: ['web', 'edge'] }, { labels: { tag: 'edge' } }],
        [route({ tag: 'edge' }, ['red'], ['leads'])],
      ),
    )
    expect([routing.destinationsOf(0, 'red'), routing.destinationsOf(1, 'red')]).toEqual([['phone'], []])
  })

  it('do not match what every object has', () => {
    const routing = new Routing(fleet([{}], [route({ constructor: 'x', toString: 'y' }, ['red'], ['leads'])]))
    expect(routing.destinationsOf(0, 'red')).toEqual([])
  })

  it('are one list for all monitors that routes see as the same', () => {
    const notify = { red: { groups: ['ops'], endpoints: [] } }
    const monitors = Array.from({ length: 100 }, (_, n) => ({ labels: { team: 'payments', host: `h${n}` } }))
    const definition = fleet(monitors, [route({ team: 'payments' }, ['red'], ['leads'])])
    const shared = { values: [{ colors: notify, repeatMs: null }], of: new Uint32Array(100) }
    const routing = new Routing({ ...definition, notifications: shared })
    const lists = new Set(monitors.map((_, row) => routing.destinationsOf(row, 'red')))
    expect([...lists]).toEqual([['chat', 'mail', 'phone']])
  })
})
