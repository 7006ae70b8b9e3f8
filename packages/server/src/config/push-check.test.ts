// What fleet files say about jobs that report by themselves: what is right, and every mistake with its line.
import { loadFleetFiles, mistakesIn, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { earlyMsOf } from './push-check.ts'

const key = 'a-key-of-22-characters'
const environment = { KEY: key, SAME: key, WEAK: 'too short', OTHER: `${key}-2` }
const credentials = `credentials: { key: { env: KEY }, same: { env: SAME }, weak: { env: WEAK }, other: { env: OTHER } }\n`

function file(check: string, rest = ''): string {
  return `${credentials}${rest}monitors:\n  - id: backup\n    name: Backup\n    check:\n${check
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')}\n`
}

const config = (text: string, reference = 'key') =>
  file(`type: push\nconfig: { ${text}, key: { credential: ${reference} } }`)

const mistakes = (text: string) => mistakesIn(text, { environment })

describe('a push check', () => {
  it.each([
    'every: 1h',
    'cron: "0 3 * * *", timezone: Europe/Berlin, grace: 10m, early: 5m, max_runtime: 4h',
    'every: 1s, first_within: 1h',
  ])('is right: %s', async (text) => {
    expect(await mistakes(config(text))).toEqual([])
  })

  it.each([
    ['grace: 10m', 'needs either cron or every, exactly one of them.'],
    ['every: 1h, cron: "0 3 * * *"', 'needs either cron or every, exactly one of them.'],
    ['every: 10ms', 'is too short; write 1s or more.'],
    ['every: 1h, grace: 0s', 'is too short; write 1s or more.'],
    ['cron: "0 0 31 2 *"', 'is not a cron expression that can be waited for: it never matches.'],
    ['cron: "0 3 * *"', 'it has 4 fields and needs five'],
    ['cron: "0 3 * * *", timezone: Europe/Atlantis', 'is not a time zone'],
    ['every: 1h, timezone: Europe/Berlin', 'applies to cron only'],
    ['every: 1h, early: 5m', 'applies to cron only'],
    ['cron: "*/10 * * * *", early: 5m', 'two times of cron are only 10m apart; write less than 5m.'],
    ['every: 1h, max_runtime: 0s', 'check.config.max_runtime'],
  ])('is wrong: %s', async (text, words) => {
    const found = await mistakes(config(text))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(words)
    expect(found[0]).toMatch(/^\d+: monitors\[0\]\.check\.config|^\d+: /)
  })

  it.each(['interval: 30s', 'timeout: 5s', 'retries: 2'])('takes no %s', async (line) => {
    const name = line.split(':')[0]
    const text = file(`type: push\n${line}\nconfig: { every: 1h, key: { credential: key } }`)
    expect(await mistakes(text)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^7: .*check\\.${name}: does not apply to a push check, for which nothing is run; remove it\\.$`,
        ),
      ),
    ])
  })

  it('takes no defaults, and has thresholds of 1', async () => {
    const defaults =
      'defaults: { check: { interval: 5s, timeout: 1s, retries: 3, unhealthy_threshold: 7 } }\n'
    const text = file('type: push\nconfig: { every: 1h, key: { credential: key } }', defaults)
    const { definition } = await loadFleetFiles(text, { environment })
    expect(monitorsOf(definition)[0]).toMatchObject({
      policy: { type: 'push', unhealthyThreshold: 1, healthyThreshold: 1, retries: 0, intervalMs: 60_000 },
    })
  })

  it('needs a key that may stand in an address', async () => {
    expect(await mistakes(file('type: push\nconfig: { every: 1h }'))).toEqual([
      expect.stringContaining('"key" is missing'),
    ])
    const [weak] = await mistakes(config('every: 1h', 'weak'))
    expect(weak).toMatch(/the value of the credential "weak" does not fit; expected: 22 to 128 letters/)
    expect(weak).not.toContain('too short')
  })

  it('needs a key of its own', async () => {
    const second =
      '  - { id: other, name: Other, check: { type: push, config: { every: 1h, key: { credential: same } } } }\n'
    expect(await mistakes(`${config('every: 1h')}${second}`)).toEqual([
      expect.stringContaining('has the same value as a key of the monitor backup; give each its own.'),
    ])
    expect(await mistakes(config('every: 1h, previous_key: { credential: same }'))).toEqual([
      expect.stringContaining('has the same value as a key of this monitor already; give each its own.'),
    ])
    expect(await mistakes(config('every: 1h, previous_key: { credential: other }'))).toEqual([])
  })
})

it.each([
  ['0 3 * * *', 60_000],
  ['* * * * *', 15_000],
  ['*/2 * * * *', 30_000],
  ['0,1 3 * * *', 15_000],
])('counts signals before a time of %s for it only in less than half of the gap', (cron, earlyMs) => {
  expect(earlyMsOf({ cron, key })).toBe(earlyMs)
})
