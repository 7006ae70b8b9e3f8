// scripts/screenshots/status-fleet.ts: a status page of a shop, on which people have written about an incident.
import { createClient } from '@pulseward/client'
import type { Browser } from 'playwright-core'
import { TroubledTarget } from '../../e2e/troubled-fleet.ts'
import { NextService } from './next-service.ts'
import { takeAll, type Views } from './take.ts'

const views: Views = { 'status-pages': { path: '/status-pages', modes: ['light-1440'] } }

export const takeStatusPages = {
  views,
  async take(browser: Browser, wanted: Views): Promise<void> {
    await using target = await TroubledTarget.start()
    await using service = await NextService.start(fleetOf(target))
    const { url, tokens } = service
    const client = createClient({ baseUrl: url, token: tokens.mara, allowInsecureHttp: true })
    const written = { phase: 'identified', text: 'The payment provider has confirmed the fault.' } as const
    await client.createStatusIncident({
      body: {
        apiVersion: 'pulseward/v2',
        kind: 'StatusIncident',
        metadata: { id: 'card-payments-fail' },
        spec: {
          pageRef: 'shop',
          title: 'Card payments fail',
          components: [{ id: 'payments', state: 'partial_outage' }],
          updates: [{ at: new Date().toISOString(), ...written }],
        },
      },
      ifNoneMatch: '*',
    })
    await takeAll({ browser, url, enter: (page) => service.signIn(page) }, wanted)
  },
}

function fleetOf(target: TroubledTarget): object {
  const components = ['Storefront', 'Search', 'Payments'].map((name) => {
    const id = name.toLowerCase()
    return { id, name, monitors: [id] }
  })
  return {
    version: 1,
    status_pages: { shop: { title: 'Example Shop', groups: [{ name: 'Shop', components }] } },
    monitors: components.map(({ id, name }) => ({
      ...{ id, name },
      check: { type: 'http', interval: '2s', timeout: '1s', config: { url: target.url(`/${id}`) } },
    })),
  }
}
