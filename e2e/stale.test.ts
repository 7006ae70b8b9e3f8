// A service that answers with old data: every view says so, since when and why, until the data is fresh again.
import type { Overview, Stale } from '@pulseward/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { faultsOf, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const stale: Stale = { since: '2026-03-01T09:30:05.000Z', reason: 'storage_unavailable' }
const why = 'Decisions cannot be stored, so no checks run and no notifications are sent.'

describeLongInBrowser('stale data', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('is called so on every view, and no longer when it is fresh again', async () => {
    const page = await service.emptyPage()
    const faults = faultsOf(page)
    await page.route('**/api/v1/overview', async (route) => {
      const overview = (await (await route.fetch()).json()) as Overview
      await route.fulfill({ json: { ...overview, generated: stale.since, stale } })
    })
    for (const path of ['/', '/monitors', '/monitors/1', '/alerts', '/system', '/settings']) {
      await page.goto(`${service.url}${path}`)
      const banner = page.getByRole('status').filter({ hasText: 'This page shows the fleet as it was at' })
      await banner.waitFor()
      await expect.poll(() => banner.innerText()).toContain(why)
      await expect.poll(() => banner.locator('time').getAttribute('datetime')).toBe(stale.since)
      await expect.poll(() => page.getByRole('banner').innerText()).toMatch(/Stale/)
    }
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.unrouteAll()
    await page.getByText('This page shows the fleet as it was at').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('banner').innerText()).toMatch(/Live/)
    expect(faults).toEqual([])
    await page.close()
  })

  it('is told as the past by the sentence of the overview', async () => {
    const page = await service.emptyPage()
    await page.route('**/api/v1/overview', async (route) => {
      const overview = (await (await route.fetch()).json()) as Overview
      await route.fulfill({ json: { ...overview, generated: stale.since, stale } })
    })
    await page.goto(service.url)
    await page.getByRole('heading', { level: 1, name: /ago, .* were up/ }).waitFor()
    await page.close()
  })
})
