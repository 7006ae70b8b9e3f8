// External workers on the System view: none, one that takes a job of a real service, and many that fell silent.
import type { NextState, v2 } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName, longName } from './troubled-fleet.ts'

const withExternalJobs = { environment: { PULSEWARD_EXTERNAL_JOBS: 'true' } }
const panelOf = (page: Page) => page.getByRole('region', { name: 'External workers', exact: true })

/** A job type, and a monitor whose check is a job of it. */
async function createJobs(service: ServiceWithPage): Promise<void> {
  const client = operatorClient(service)
  const apiVersion = 'pulseward/v2' as const
  const jobType = {
    apiVersion,
    kind: 'JobType' as const,
    metadata: { id: 'depth' },
    spec: {
      version: '1',
      kind: 'check' as const,
      handler: 'depth',
      protocolVersion: '1',
      parameterSchema: { type: 'object' },
      resultSchema: { type: 'object' },
    },
  }
  await client.createJobType({ body: jobType, ifNoneMatch: '*' })
  const check = { driver: { type: 'depth', config: {} }, interval: '1h', timeout: '10m' }
  const monitor = { apiVersion, kind: 'Monitor' as const, metadata: { id: 'queue' }, spec: { check } }
  await client.createMonitor({ body: monitor, ifNoneMatch: '*' })
}

async function callAs<Answer>(token: string, url: string, body: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

/** Polls until it is granted a job. */
async function takeJob(service: ServiceWithPage, token: string): Promise<void> {
  const workers = `${service.url}/api/v2/external-workers`
  const capabilities = [{ jobTypeID: 'depth', kind: 'check', version: '1' }]
  const asked = { workerID: 'berlin-1', capabilities, capacity: 8, limit: 1, waitSeconds: 25 }
  for (;;) {
    // The service hears of a new principal by watching its file.
    const { items } = await eventually(() => callAs<v2.Assignments>(token, `${workers}/poll`, asked))
    const [offer] = items
    if (offer === undefined) continue
    const { executionID, leaseID, executionRevision } = offer
    const words = { executionID, leaseID, executionRevision }
    const started = await callAs<v2.StartResponse>(token, `${workers}/start`, words)
    if (started.disposition === 'granted') return
  }
}

/** The page gets the service's own answers, changed so. */
async function changeState(page: Page, change: (state: NextState) => Partial<NextState>): Promise<void> {
  await page.route('**/api/v1/state', async (route) => {
    const response = await route.fetch()
    const state = (await response.json()) as NextState
    await route.fulfill({ response, json: { ...state, ...change(state) } })
  })
}

const sinceSeconds =
  (uptime_seconds: number) =>
  (state: NextState): Partial<NextState> => ({ process: { ...state.process, uptime_seconds } })

function silentCrowd(): NonNullable<NextState['external_workers']> {
  const last_seen_at = new Date(Date.now() - 200_000).toISOString()
  const names = [hostileName, longName, 'w'.repeat(128), ...Array.from({ length: 97 }, (_, n) => `w-${n}`)]
  const workers = names.map((worker) => ({
    worker,
    principal: worker,
    capacity: 100_000,
    active: 99_999,
    last_seen_at,
  }))
  return { workers, more: 20, waiting_polls: 0, waiting_jobs: 1_200, running_jobs: 99_999 }
}

describeLongInBrowser('external workers on the System view', () => {
  it.concurrent('are none, then one that takes the job that waits', async () => {
    await using service = await ServiceWithPage.start('next', withExternalJobs)
    await using page = await service.emptyPage()
    const faults = faultsOf(page)
    // A slow machine may take more than the minute after which workers are missed.
    await changeState(page, sinceSeconds(5))
    await page.goto(`${service.url}/system`)
    const panel = panelOf(page)
    await panel.getByText('No worker has asked for work yet.').waitFor()
    await panel.getByText('pulseward worker init NAME').waitFor()
    expect(await violationsOf(page)).toEqual([])

    await createJobs(service)
    await panel.getByText('1 job waiting', { exact: true }).waitFor()
    await panel.getByText(/no worker has called/).waitFor({ state: 'detached' })

    await takeJob(service, service.workerToken('berlin', 'depth'))
    const row = panel.getByRole('row', { name: /berlin-1 berlin 1 of 8/ })
    await row.waitFor()
    await panel.getByText('1 worker, seen in the last minute').waitFor()
    await panel.getByText('1 job running', { exact: true }).waitFor()
    await panel.getByText('0 jobs waiting', { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
  })

  it.concurrent('are missed when a job waits and the service has run for a while', async () => {
    await using service = await ServiceWithPage.start('next', withExternalJobs)
    await createJobs(service)
    await using page = await service.emptyPage()
    await changeState(page, sinceSeconds(86_400))
    await page.goto(`${service.url}/system`)
    const panel = panelOf(page)
    await panel.getByText('1 job waits, and no worker has called for a minute.').waitFor()
    await panel.getByText('No worker has asked for work in the last 10 minutes.').waitFor()
    await takeJob(service, service.workerToken('berlin', 'depth'))
    await panel.getByRole('row', { name: /berlin-1/ }).waitFor()
    await panel.getByText(/no worker has called/).waitFor({ state: 'detached' })
  })

  it.concurrent('are shown without a fault in both themes when many with any names fell silent', async ({
    expect,
  }) => {
    await using service = await ServiceWithPage.start('next', withExternalJobs)
    await using page = await service.emptyPage({ colorScheme: 'light' })
    const faults = faultsOf(page)
    await changeState(page, (state) => ({
      ...sinceSeconds(86_400)(state),
      external_workers: silentCrowd(),
    }))
    await page.goto(`${service.url}/system`)
    const panel = panelOf(page)
    await panel.getByText('1,200 jobs wait, and no worker has called for a minute.').waitFor()
    await panel.getByText('120 workers, not seen for more than a minute').waitFor()
    await panel.getByText('20 more workers seen before these.').waitFor()
    await panel.getByRole('cell', { name: `${hostileName} ${hostileName}` }).waitFor()
    await expect.poll(() => panel.getByRole('row').count()).toBe(11)
    await panel.getByText('90 other workers').click()
    await panel.getByRole('cell', { name: 'w-96 w-96' }).waitFor()
    await expect.poll(() => panel.getByRole('row').count()).toBe(102)
    expect(await violationsOf(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, { others: false })).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page, { contrast: false })).toEqual([])
    expect(faults).toEqual([])
  })

  it.concurrent.each(['candidate', 'next'] as const)(
    'have no panel where external jobs are off (%s)',
    async (edition) => {
      await using service = await ServiceWithPage.start(edition)
      await using page = await service.open('/system')
      await page.getByRole('region', { name: 'Process' }).getByText('of memory').waitFor()
      expect(await panelOf(page).count()).toBe(0)
    },
  )
})
