// Three thousand hostile requests from a fixed seed against the real service; `npm run bench -- fuzz` sends many more.
import { temporaryFolder } from '@pulseward/testing'
import { fuzzApi } from '@pulseward/testing/fuzz'
import { expect, it } from 'vitest'
import { startApp } from '../app.ts'
import { parseListenAddress } from '../config/settings/listen-address.ts'
import { resolveSettings } from '../config/settings/resolve-settings.ts'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../telemetry/log.ts'

const token = 'Zx9-a-token-that-must-never-leave'
const fleetFile = `version: 1
monitors:
  - { id: m-1, name: One, check: { type: tcp, interval: 1s, config: { host: 127.0.0.1, port: 1 } } }
  - { id: m-2, name: <b>Two</b>, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`

it.each(['main', 'candidate'] as const)(
  '%s gives 1,500 hostile requests no 5xx, no secret and no silence',
  async (edition) => {
    using folder = temporaryFolder({ 'fleet.yaml': fleetFile })
    const { values } = resolveSettings({ flags: new Map(), environment: {}, file: null })
    await using app = await startApp({
      settings: {
        ...values,
        edition,
        listen: parseListenAddress('127.0.0.1:0'),
        config: [folder.path('fleet.yaml')],
        data: folder.path('data'),
        proxies: ['127.0.0.1'],
        cors: ['https://status.example'],
      },
      token,
      environment: {},
      clock: systemClock,
      log: silentLog,
    })
    const port = Number(new URL(app.url).port)
    const { sent, answered, statuses, findings } = await fuzzApi({ port, token, seed: 1, requests: 1_500 })
    expect(findings).toEqual([])
    expect(sent).toBeGreaterThanOrEqual(1_500)
    expect(answered).toBeGreaterThan(700)
    // The requests reach what they are meant to reach.
    for (const status of [200, 400, 401, 404, 405]) expect(statuses[status]).toBeGreaterThan(3)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${app.url}/api/v1/healthz`, { headers })).status).toBe(200)
  },
  60_000,
)
