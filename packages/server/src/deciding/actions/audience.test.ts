import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NotifyDefinition, RouteDefinition } from '../../config/fleet-file/definition.ts'
import type { Color } from '../health/step.ts'
import { colorsByRank } from './action.ts'
import { audienceOf } from './audience.ts'
import { type RoutedFleet, Routing } from './routing.ts'

const groups = new Map([
  ['ops', ['chat', 'mail']],
  ['leads', ['phone', 'chat']],
  ['nobody', []],
])

const notify = (colors: NotifyDefinition['colors'], isDefault?: true): NotifyDefinition => ({
  colors,
  repeatMs: null,
  ...(isDefault ? { isDefault } : {}),
})
const to = (named: readonly string[], endpoints: readonly string[] = []) => ({ groups: named, endpoints })
const route = (name: string, colors: readonly Color[], destinations: RouteDefinition['destinations']) => ({
  name,
  match: {},
  colors,
  destinations,
})
const rule = (
  kind: 'own' | 'default' | 'route',
  group: string | null = null,
  name: string | null = null,
) => ({
  kind,
  name,
  group,
})

describe('the audience of a color', () => {
  it('is named by the rules of the monitor, alone or in a group', () => {
    expect(audienceOf(notify({ red: to(['ops'], ['log']) }), [], groups).red).toEqual([
      { destination: 'chat', namedBy: [rule('own', 'ops')] },
      { destination: 'mail', namedBy: [rule('own', 'ops')] },
      { destination: 'log', namedBy: [rule('own')] },
    ])
  })

  it('is named by the default of the files where the monitor has no rules', () => {
    expect(audienceOf(notify({ red: to(['nobody'], ['log']) }, true), [], groups).red).toEqual([
      { destination: 'log', namedBy: [rule('default')] },
    ])
  })

  it('is named by routes, each under its name', () => {
    const routes = [
      route('routes.0', ['red'], to([], ['log'])),
      route('night', ['red', 'green'], to(['leads'])),
    ]
    const { red, green, yellow } = audienceOf(notify({}), routes, groups)
    expect(red).toEqual([
      { destination: 'log', namedBy: [rule('route', null, 'routes.0')] },
      { destination: 'phone', namedBy: [rule('route', 'leads', 'night')] },
      { destination: 'chat', namedBy: [rule('route', 'leads', 'night')] },
    ])
    expect(green.map(({ destination }) => destination)).toEqual(['phone', 'chat'])
    expect(yellow).toEqual([])
  })

  it('has a destination once, with every rule that names it', () => {
    const own = notify({ red: to(['ops', 'leads'], ['chat']) })
    const [chat, ...others] = audienceOf(own, [route('all', ['red'], to([], ['chat']))], groups).red
    expect(chat).toEqual({
      destination: 'chat',
      namedBy: [rule('own', 'ops'), rule('own', 'leads'), rule('own'), rule('route', null, 'all')],
    })
    expect(others.map(({ destination }) => destination)).toEqual(['mail', 'phone'])
  })

  it('is empty for every color when nothing names anybody', () => {
    const audience = audienceOf(notify({ red: to(['nobody', 'gone']) }), [], groups)
    expect(Object.entries(audience)).toEqual(colorsByRank.map((color) => [color, []]))
  })
})

const color = fc.constantFrom(...colorsByRank)
const destinations = fc.record({
  groups: fc.subarray(['ops', 'leads', 'nobody', 'gone']),
  endpoints: fc.subarray(['chat', 'mail', 'phone', 'log']),
})
const words = fc.dictionary(fc.constantFrom('team', 'tier', 'tag'), fc.constantFrom('a', 'b'), { maxKeys: 2 })
const routes = fc.array(fc.record({ match: words, colors: fc.subarray([...colorsByRank]), destinations }), {
  maxLength: 4,
})
const monitors = fc.array(
  fc.record({
    colors: fc.dictionary(color, destinations),
    labels: words,
    tags: fc.subarray(['a', 'b', 'c']),
    isDefault: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('the audience of any monitor', () => {
  it('is where its notifications go, and whoever names a destination contains it', () => {
    fc.assert(
      fc.property(monitors, routes, (written, someRoutes) => {
        const of = Uint32Array.from(written.keys())
        const fleet: RoutedFleet = {
          notifications: { values: written.map((one) => notify(one.colors, one.isDefault || undefined)), of },
          labels: { values: written.map(({ labels }) => labels), of },
          tags: { values: written.map(({ tags }) => tags), of },
          groups,
          routes: someRoutes.map((one, place) => ({ ...one, name: `routes.${place}` })),
        }
        const routing = new Routing(fleet)
        for (const [row, monitor] of written.entries()) {
          const audience = routing.audienceOf(row)
          for (const one of colorsByRank) {
            const told = audience[one].map(({ destination }) => destination)
            expect(told).toEqual(routing.destinationsOf(row, one))
            expect([...told].sort()).toEqual(toldOf(fleet, monitor, one))
            if (one === 'red') expect(routing.tellsSomebody(row)).toBe(told.length > 0)
            for (const { destination, namedBy } of audience[one])
              for (const { group } of namedBy)
                if (group !== null) expect(groups.get(group)).toContain(destination)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})

type Written = {
  readonly colors: NotifyDefinition['colors']
  readonly labels: Readonly<Record<string, string>>
  readonly tags: readonly string[]
}

/** The same by the plainest way: every rule is asked. */
function toldOf({ routes: all }: RoutedFleet, { colors, labels, tags }: Written, one: Color): string[] {
  const fits = ({ match }: RouteDefinition) =>
    Object.entries(match).every(([key, value]) =>
      key === 'tag' ? tags.includes(value) : labels[key] === value,
    )
  const rules = [
    ...(colors[one] === undefined ? [] : [colors[one]]),
    ...all.filter((each) => each.colors.includes(one) && fits(each)).map((each) => each.destinations),
  ]
  const told = rules.flatMap((named) => [
    ...named.groups.flatMap((group) => groups.get(group) ?? []),
    ...named.endpoints,
  ])
  return [...new Set(told)].sort()
}
