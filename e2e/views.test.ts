// Every view in both editions, both themes, wide and narrow: it says something, breaks no rule of accessibility, and
// nothing of a name runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeInBrowser, describeLongInBrowser } from './describe-in-browser.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage, type TestedEdition } from './service-with-page.ts'
import { inBothThemes } from './themes.ts'
import { hostileName, longName } from './troubled-fleet.ts'

function viewsOf(edition: TestedEdition): void {
  describe(`the dashboard of ${edition}`, () => {
    let service: ServiceWithPage
    beforeAll(async () => {
      service = await ServiceWithPage.start(edition)
      await using page = await service.open('/alerts')
      await page.getByRole('link', { name: longName }).waitFor()
    })
    afterAll(() => service[Symbol.asyncDispose]())

    const views = {
      '/': 'open',
      '/monitors': hostileName,
      '/alerts': 'Open incidents',
      '/system': 'Stages of the controller',
      '/settings': 'Appearance',
    }

    inBothThemes((colorScheme) => {
      it.each(Object.entries(views))('shows %s without a fault', async (path, words) => {
        await using page = await service.emptyPage({ colorScheme })
        const faults = faultsOf(page)
        await page.goto(`${service.url}${path}`)
        await page.getByRole('main').getByText(words).first().waitFor()
        expect(await violationsOf(page, { others: colorScheme === 'light' })).toEqual([])
        await page.setViewportSize({ width: 360, height: 740 })
        expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
        // Colors are the same on a phone: once is enough.
        if (colorScheme === 'dark') expect(await violationsOf(page, { contrast: false })).toEqual([])
        expect(faults).toEqual([])
      })

      it('shows a monitor without a fault', async () => {
        await using page = await service.open('/monitors?status=incident&q=Checkout', { colorScheme })
        const faults = faultsOf(page)
        await page.getByRole('link', { name: 'Checkout' }).click()
        await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor()
        await page.getByText('status 503').first().waitFor()
        const chart = edition === 'main' ? /latencies between/ : /were healthy/
        await page.getByRole('img', { name: chart }).locator('canvas').waitFor()
        expect(await violationsOf(page, { others: colorScheme === 'light' })).toEqual([])
        await expect.poll(() => page.getByText('What happened').count()).toBe(edition === 'main' ? 0 : 1)
        await page.setViewportSize({ width: 360, height: 740 })
        expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
        expect(faults).toEqual([])
      })
    })
  })
}

describeInBrowser('every view', () => viewsOf('candidate'))
describeLongInBrowser('every view', () => viewsOf('main'))
