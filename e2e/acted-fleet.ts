// e2e/acted-fleet.ts: a small fleet with something to act on: open incidents, hostile names, a recovery that
// works, one whose answer never arrives, and a monitor that no file manages.
import type { Page } from 'playwright-core'
import { operatorClient } from './operator-client.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName, longName, type TroubledTarget } from './troubled-fleet.ts'

/** `silentUrl` accepts requests and never answers. */
function actedFleet(target: TroubledTarget, silentUrl: string): object {
  const monitor = (id: string, name: string, more: object = {}) => ({
    id,
    name,
    check: {
      type: 'http',
      interval: '1s',
      timeout: '1s',
      unhealthy_threshold: 2,
      config: { url: target.url(`/${id}`) },
    },
    ...more,
  })
  const recovery = (url: string) => ({ type: 'webhook', timeout: '1s', settle: '1s', config: { url } })
  for (const id of ['checkout', 'hostile', 'stuck', 'kiosk', 'shared', 'lost']) target.breaks(`/${id}`)
  return {
    version: 1,
    monitors: [
      monitor('checkout', 'Checkout'),
      monitor('hostile', hostileName),
      monitor('long', longName),
      monitor('stuck', 'Stuck', { recovery: recovery(silentUrl) }),
      monitor('kiosk', 'Kiosk', { recovery: recovery(target.url('/restart')) }),
      monitor('shared', 'Shared'),
      monitor('lost', 'Lost'),
      monitor('search', 'Search'),
    ],
  }
}

export async function startActed(silentUrl: string): Promise<ServiceWithPage> {
  return ServiceWithPage.start('next', {
    environment: { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1' },
    fleet: (target) => actedFleet(target, silentUrl),
  })
}

/** A monitor that is managed through v2, named like its id. */
export async function createManaged(service: ServiceWithPage, ...ids: readonly string[]): Promise<void> {
  const client = operatorClient(service)
  const driver = { type: 'tcp', config: { host: '127.0.0.1', port: 1 } }
  for (const id of ids)
    await client.createMonitor({
      body: {
        apiVersion: 'pulseward/v2',
        kind: 'Monitor',
        metadata: { id, name: id },
        spec: { check: { driver, interval: '1h', timeout: '1s' } },
      },
      ifNoneMatch: '*',
    })
}

const listOf = (name: string) => `/monitors?${new URLSearchParams({ q: name })}`

/** As the first operator, starting from the list. */
export async function openMonitor(service: ServiceWithPage, name: string): Promise<Page> {
  const page = await service.openAs(service.operatorToken(), listOf(name))
  await followLink(page, name)
  return page
}

/** Starting from the list, as people do. */
export async function goToMonitor(page: Page, service: ServiceWithPage, name: string): Promise<void> {
  await page.goto(`${service.url}${listOf(name)}`)
  await followLink(page, name)
}

async function followLink(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** The sentence disappears after ten seconds, so the wait starts before the request. */
export async function told(page: Page, sentence: string, asking: Promise<unknown>): Promise<void> {
  await Promise.all([asking, page.getByRole('status').getByText(sentence).waitFor()])
}
