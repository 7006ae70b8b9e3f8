// What can only be judged when the whole fleet is known: names that lead nowhere, identities that stand twice,
// circles of dependencies, and parts that stand in other files.
import { loadFleetFiles, mistakesIn, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'

const check = { type: 'tcp', config: { host: 'a', port: 1 } }

function lines(...monitors: object[]): string {
  return monitors.map((monitor) => JSON.stringify({ check, ...monitor })).join('\n')
}

describe('an identity', () => {
  it('may not stand twice, whichever files it stands in', async () => {
    const files = {
      'a.ndjson': lines({ id: 'x', name: 'one' }, { name: 'two' }),
      'b.ndjson': lines({ id: 'x', name: 'three' }, { name: 'two' }, { id: 'y', name: 'two' }),
    }
    expect(await mistakesIn(files)).toEqual([
      'b.ndjson:1: id: "x" is the id of another monitor; give this one another id.',
      'b.ndjson:2: name: "two" is the name of another monitor; give this one another name, or an id.',
    ])
  })

  it('counts as taken also by a monitor that has mistakes', async () => {
    const content = lines({ id: 'x', name: 'one', enabled: 1 }, { id: 'x', name: 'two' })
    expect(await mistakesIn({ 'a.ndjson': content })).toEqual([
      '1: enabled: must be true or false, not 1.',
      '2: id: "x" is the id of another monitor; give this one another id.',
    ])
  })

  it('is not invented for monitors whose own is wrong', async () => {
    const content = lines({ id: 'a b', name: 'one' }, { id: 'c d', name: 'one' }, {}, {})
    expect(await mistakesIn({ 'a.ndjson': content })).toHaveLength(4)
  })
})

describe('a reference', () => {
  const head = `credentials:
  hook: { env: HOOK }
endpoints:
  ops-slack: { type: slack, config: { hook: { credential: hook } } }
  pager: { type: slack, config: { hook: { credential: hok } } }
groups:
  ops: [ops-slack, ops-slak]
routes:
  - match: { team: a }
    colors: [red]
    groups: [opps]
    endpoints: [ops-slack]
  - { match: {}, colors: [red] }
defaults:
  notify: { red: { groups: [ops], endpoints: [nobody] } }
`
  it('from the head must lead somewhere', async () => {
    expect(await mistakesIn(head, { environment: { HOOK: 'x' } })).toEqual([
      '5: endpoints.pager.config.hook.credential: there is no credential "hok". Did you mean "hook"?',
      '7: groups.ops[1]: there is no endpoint "ops-slak". Did you mean "ops-slack"?',
      '11: routes[0].groups[0]: there is no group "opps". Did you mean "ops"?',
      '13: routes[1]: names no group and no endpoint; at least one of them is needed.',
      '15: defaults.notify.red.endpoints[0]: there is no endpoint "nobody".',
    ])
  })

  it('to routes are by ids that are given once, and are not those of places', async () => {
    const routes = (...ids: string[]) =>
      `endpoints: { ops: { type: log } }\nroutes:\n${ids.map((id) => `  - { id: ${id}, match: {}, colors: [red], endpoints: [ops] }\n`).join('')}`
    expect((await loadFleetFiles(routes('night', 'day'))).definition.routes).toMatchObject([
      { name: 'night' },
      { name: 'day' },
    ])
    expect(await mistakesIn(routes('night', 'night'))).toEqual([
      expect.stringMatching(/4: routes\[1\]\.id: "night" is already defined in .*fleet\.yaml\.$/),
    ])
    expect(await mistakesIn(routes('routes.7'))).toHaveLength(1)
  })

  it('from routes beside nothing else may lead to what v2 manages', async () => {
    const routes = 'routes: [ { match: { team: a }, colors: [red], groups: [ops], endpoints: [chat] } ]\n'
    expect((await loadFleetFiles(routes)).definition.routes).toMatchObject([
      { destinations: { groups: ['ops'], endpoints: ['chat'] } },
    ])
    expect(await mistakesIn(`${routes}defaults: { check: { retries: 1 } }\n`)).toHaveLength(2)
    expect(await mistakesIn('routes: [ { match: {}, colors: [red] } ]\n')).toHaveLength(1)
  })

  it('from a monitor must lead somewhere', async () => {
    const headers = { a: { credential: 'tokn' }, b: 'open' }
    const content = lines(
      { id: 'edge', name: 'edge' },
      {
        name: 'a',
        depends_on: ['edge', 'edge', 'egde'],
        notify: { red: { groups: ['op'] }, green: { endpoints: ['loh'] } },
        check: { type: 'http', config: { url: 'http://a/', headers } },
        recovery: { type: 'webhook', config: { url: 'http://a/', headers: { a: { credential: 'token' } } } },
      },
    )
    const parts =
      'credentials: { token: { env: T } }\nendpoints: { log: { type: log } }\ngroups: { ops: [log] }\n'
    expect(await mistakesIn({ 'a.ndjson': content, 'b.yaml': parts }, { environment: { T: 'x' } })).toEqual([
      'a.ndjson:2: check.config.headers.a.credential: there is no credential "tokn". Did you mean "token"?',
      'a.ndjson:2: notify.red.groups[0]: there is no group "op". Did you mean "ops"?',
      'a.ndjson:2: notify.green.endpoints[0]: there is no endpoint "loh". Did you mean "log"?',
      'a.ndjson:2: depends_on[2]: there is no monitor "egde". Did you mean "edge"?',
    ])
  })

  it('may lead into a file that is read later', async () => {
    const files = {
      'a.ndjson': lines({ name: 'a', depends_on: ['b'], notify: { red: { groups: ['ops'] } } }),
      'b.ndjson': lines({ id: 'b', name: 'b' }),
      'c.yaml': 'groups: { ops: [log] }\n',
      'd.yaml': 'endpoints: { log: { type: log } }\n',
    }
    expect(await mistakesIn(files)).toEqual([])
  })

  it('is not called missing because what it names has a mistake', async () => {
    const text = `credentials: { hook: hunter2 }
endpoints:
  a: { typ: log }
  b: 5
  c: { type: slack, config: { hook: { credential: hook } } }
groups: { g: 7, h: [a, b, c] }
monitors:
  - { id: parent, name: parent, enabled: 3, check: { type: tcp, config: { host: a, port: 1 } } }
  - { name: child, depends_on: [parent], notify: { red: { groups: [g, h] } }, check: { type: icmp, config: { host: a } } }
`
    const mistakes = await mistakesIn(text)
    expect(mistakes.filter((mistake) => /there is no/.test(mistake))).toEqual([])
    expect(mistakes.map((mistake) => Number.parseInt(mistake, 10))).toEqual([1, 3, 3, 4, 6, 8])
  })

  it('of a monitor that has other mistakes is judged in the same run', async () => {
    const content = lines({
      name: 'a',
      enabled: 1,
      depends_on: ['nobody'],
      notify: { red: { groups: ['ops'] } },
    })
    expect(await mistakesIn({ 'a.ndjson': content })).toEqual([
      '1: enabled: must be true or false, not 1.',
      '1: notify.red.groups[0]: there is no group "ops". No groups are defined.',
      '1: depends_on[0]: there is no monitor "nobody".',
    ])
  })
})

describe('parts in several files', () => {
  it('add up, and defaults count for all of them', async () => {
    const files = {
      '1.yaml': `monitors: [ { name: a, check: { type: icmp, config: { host: a } } } ]\nendpoints: { one: { type: log } }\n`,
      '2.yaml':
        'defaults: { check: { interval: 15s }, notify: { red: { groups: [all] } } }\nendpoints: { two: { type: log } }\n',
      '3.yaml': 'groups: { all: [one, two] }\n',
    }
    const { definition, files: read } = await loadFleetFiles(files)
    expect(read).toHaveLength(3)
    expect(monitorsOf(definition)).toMatchObject([
      { policy: { intervalMs: 15_000 }, notify: { colors: { red: { groups: ['all'], endpoints: [] } } } },
    ])
    expect([...definition.endpoints.keys()]).toEqual(['one', 'two'])
  })

  it('may not say the same thing twice', async () => {
    const files = {
      'a.yaml': 'defaults: {}\nendpoints: { log: { type: log } }\n',
      'b.yaml': 'defaults: {}\n---\nendpoints:\n  log: { type: log }\n',
    }
    const mistakes = (await mistakesIn(files)).map((mistake) => mistake.replace(/in \S*(a\.yaml)/, 'in $1'))
    expect(mistakes).toEqual([
      'b.yaml:1: defaults: defaults are already given in a.yaml; a fleet has one set.',
      'b.yaml:4: endpoints.log: "log" is already defined in a.yaml.',
    ])
  })
})

describe('dependencies', () => {
  const chain = (length: number, last: object) =>
    lines(
      ...Array.from({ length }, (_, number) => ({
        id: `m${number}`,
        name: `m${number}`,
        ...(number === 0 ? last : { depends_on: [`m${number - 1}`] }),
      })),
    )

  it('may be a chain of a hundred thousand', { tags: 'long' }, async () => {
    const { definition } = await loadFleetFiles({ 'a.ndjson': chain(100_000, {}) })
    expect(definition.count).toBe(100_000)
  })

  // More than calls that are nested may be.
  it('may be a chain of twenty thousand', async () => {
    const { definition } = await loadFleetFiles({ 'a.ndjson': chain(20_000, {}) })
    expect(definition.count).toBe(20_000)
  })

  it('may not be a circle, however long', async () => {
    expect(await mistakesIn({ 'a.ndjson': chain(20_000, { depends_on: ['m19999'] }) })).toEqual([
      '1: depends_on: depends on itself: "m0" → "m19999" → "m19998" → "m19997" → "m19996" → "m19995" → "m19994" → "m19993" → 19992 more → "m0"; remove one of these dependencies.',
    ])
  })

  it('may not lead back to the monitor itself', async () => {
    const content = lines(
      { id: 'a', name: 'a', depends_on: ['a'] },
      { id: 'b', name: 'b', depends_on: ['a'] },
    )
    expect(await mistakesIn({ 'a.ndjson': content })).toEqual([
      '1: depends_on: depends on itself: "a" → "a"; remove one of these dependencies.',
    ])
  })

  it('are told for every circle', async () => {
    const content = lines(
      { id: 'a', name: 'a', depends_on: ['b'] },
      { id: 'b', name: 'b', depends_on: ['a'] },
      { id: 'c', name: 'c', depends_on: ['d', 'a'] },
      { id: 'd', name: 'd', depends_on: ['c'] },
    )
    expect(await mistakesIn({ 'a.ndjson': content })).toEqual([
      '1: depends_on: depends on itself: "a" → "b" → "a"; remove one of these dependencies.',
      '3: depends_on: depends on itself: "c" → "d" → "c"; remove one of these dependencies.',
    ])
  })

  it('may meet again', async () => {
    const content = lines(
      { id: 'top', name: 'top' },
      { id: 'left', name: 'left', depends_on: ['top'] },
      { id: 'right', name: 'right', depends_on: ['top'] },
      { id: 'bottom', name: 'bottom', depends_on: ['left', 'right', 'left'] },
    )
    const { definition } = await loadFleetFiles({ 'a.ndjson': content })
    expect(monitorsOf(definition)[3]!['dependencies']).toEqual(['left', 'right'])
  })
})
