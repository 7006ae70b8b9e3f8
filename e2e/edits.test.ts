// Who changed a monitor, on its own page and in its incident report: for those who are signed in, as text, without secrets.
import type { Client } from '@pulseward/client'
import type { v2 } from '@pulseward/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManaged, goToMonitor, startActed } from './acted-fleet.ts'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import type { ServiceWithPage } from './service-with-page.ts'

const hostileValue = '<img src=x onerror=alert(1)>\u202E'
const secret = 'nobody-may-see-this'

const timelineOf = (page: Page) => page.getByRole('region', { name: 'What happened' })
const lines = (page: Page, sentence: string) => timelineOf(page).getByText(sentence, { exact: true })
const deedsOf = (page: Page) =>
  page.getByRole('table', { name: 'What people and clients did', exact: true }).locator('tbody tr')

function askedOf(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  return asked
}

describeLongInBrowser('who changed a monitor', () => {
  let service: ServiceWithPage
  let ada: Client
  beforeAll(async () => {
    service = await startActed('http://127.0.0.1:1/')
    await createManaged(service, 'till', 'quiet')
    const token = service.secondOperatorToken('ada')
    // The service hears of a new principal by watching its file.
    await (await service.openAs(token, '/settings')).context().close()
    ada = operatorClient(service, token)
    await change('till', {
      metadata: { name: 'Till', labels: { room: hostileValue } },
      spec: {
        check: {
          interval: '2h',
          driver: {
            type: 'http',
            config: { url: `http://127.0.0.1:1/?token=${secret}`, host: null, port: null },
          },
        },
      },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const change = async (id: string, body: v2.MergePatch) => {
    const { resourceVersion } = await ada.getMonitor({ id })
    await ada.patchMonitor({ id, ifMatch: resourceVersion!, body })
  }

  it('is one line on its page, which opens to the difference, also by key', async () => {
    await using page = await service.openAs(service.readerToken('grace'), '/settings')
    const faults = faultsOf(page)
    await goToMonitor(page, service, 'Till')
    await lines(page, 'ada changed it.').waitFor()
    await lines(page, 'first created it.').waitFor()
    expect(await timelineOf(page).getByText('check › interval').isVisible()).toBe(false)
    await timelineOf(page).locator('summary', { hasText: 'ada changed it.' }).focus()
    await page.keyboard.press('Enter')
    await timelineOf(page).getByText('check › interval').waitFor()
    await timelineOf(page).getByText('check › url').waitFor()
    await expect.poll(() => timelineOf(page).locator('del', { hasText: '1h' }).count()).toBe(1)
    await expect.poll(() => timelineOf(page).locator('ins', { hasText: '2h' }).count()).toBe(1)
    await timelineOf(page).getByText(hostileValue).waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
  })

  it('is told once, and comes to a page that is open', async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    await goToMonitor(page, service, 'quiet')
    await lines(page, 'first created it.').waitFor()
    await change('quiet', { spec: { check: { interval: '3h' } } })
    await lines(page, 'ada changed it.').waitFor()
    await expect.poll(() => lines(page, 'ada changed it.').count()).toBe(1)
    await expect.poll(() => lines(page, 'first created it.').count()).toBe(1)
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: /^Why/ }).fill('a drill')
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze', exact: true }).click()
    await lines(page, 'Snoozed by first.').waitFor()
    await expect.poll(() => timelineOf(page).getByRole('listitem').count()).toBe(3)
  })

  it('is read again only when the monitor has changed', async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    await goToMonitor(page, service, 'Till')
    await lines(page, 'ada changed it.').waitFor()
    const asked = askedOf(page)
    const times = (path: string) => asked.filter((one) => one === path).length
    await expect.poll(() => times('/api/v2/monitors/till')).toBeGreaterThan(1)
    expect(times('/api/v2/history')).toBe(0)
  })

  it('is not asked for, nor shown, where nobody is signed in', async () => {
    await using page = await service.emptyPage()
    const asked = askedOf(page)
    await goToMonitor(page, service, 'Till')
    await timelineOf(page).getByText('Nothing in the last 30 days.').waitFor()
    expect(await timelineOf(page).getByText('changed it').count()).toBe(0)
    await page.getByRole('link', { name: 'Incident report' }).click()
    await page.getByText('There were no manual actions.').waitFor()
    expect(asked.filter((path) => path.startsWith('/api/v2'))).toEqual([])
  })

  it('is said to be unknown when it cannot be read, and the rest stays', async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    await page.route('**/api/v2/history?**', (route) => route.abort('connectionreset'))
    await goToMonitor(page, service, 'Checkout')
    await timelineOf(page).getByText('Who changed the monitor cannot be read now.').waitFor()
    await timelineOf(page).getByText('Incident, still open').waitFor()
    await page.unroute('**/api/v2/history?**')
    await timelineOf(page).getByText('cannot be read now').waitFor({ state: 'detached' })
  })

  it('stands in the incident report with the difference, which is not folded', async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    const faults = faultsOf(page)
    await goToMonitor(page, service, 'Till')
    await page.getByRole('link', { name: 'Incident report' }).click()
    const changed = deedsOf(page).filter({ hasText: 'The monitor was changed.' })
    await changed.getByText('check › interval').waitFor()
    await expect.poll(() => changed.count()).toBe(1)
    await changed.getByText(hostileValue).waitFor()
    await expect.poll(() => changed.locator('td').first().innerText()).toBe('ada')
    const steps = page.getByRole('table', { name: 'Everything that happened, in order' }).locator('tbody tr')
    await expect.poll(() => steps.filter({ hasText: 'The monitor was changed.' }).count()).toBe(1)
    expect(await page.content()).not.toContain(secret)
    expect(await violationsOf(page)).toEqual([])
    for (const viewport of [
      { width: 360, height: 740 },
      { width: 640, height: 450 },
    ]) {
      await page.setViewportSize(viewport)
      expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize({ width: 688, height: 1_000 })
    await page.emulateMedia({ media: 'print' })
    const wide = await page.evaluate(
      () =>
        [...document.querySelectorAll('main tr, main dl')].filter(
          (element) => element.getBoundingClientRect().right > innerWidth + 1,
        ).length,
    )
    expect(wide).toBe(0)
    expect(faults).toEqual([])
  })
})
