// "Why?" in a real browser: beside a status, an incident and a message, in both themes, wide and narrow, without a fault of
// accessibility, by the keyboard; and not for those who are not signed in.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'
import type { TroubledTarget } from './troubled-fleet.ts'

function fleetOf(target: TroubledTarget): object {
  for (const id of ['gateway', 'edge']) target.breaks(`/${id}`)
  const monitor = (id: string, name: string) => ({
    id,
    name,
    check: {
      ...{ type: 'http', interval: '1s', timeout: '1s', unhealthy_threshold: 2 },
      config: { url: target.url(`/${id}`) },
    },
  })
  return {
    version: 1,
    endpoints: { ops: { type: 'log', config: {} } },
    defaults: { notify: { red: { endpoints: ['ops'] } } },
    monitors: [monitor('gateway', 'Edge gateway'), { ...monitor('edge', 'Edge'), depends_on: ['gateway'] }],
  }
}

describeInBrowser('why', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('next', { fleet: fleetOf })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const dialogOf = (page: Page, name: RegExp) => page.getByRole('dialog', { name })

  /** Opened by the keyboard, read, and closed by it: the focus is back where it was. */
  async function asked(page: Page, of: RegExp, sentence: RegExp, rule: string): Promise<void> {
    const button = page.getByRole('button', { name: of })
    await button.first().waitFor()
    await button.first().press('Enter')
    const dialog = dialogOf(page, /^Why: /)
    await dialog.getByText(sentence).first().waitFor()
    const decided = dialog.getByRole('listitem').filter({ hasText: `${rule} decided` })
    await decided.first().waitFor()
    // Its sentence has the width of the dialog, wherever the button is.
    expect((await decided.first().locator('p').boundingBox())!.width).toBeGreaterThan(250)
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => button.first().evaluate((element) => element === document.activeElement))
      .toBe(true)
  }

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'is answered beside a status, an incident and a message, %s at %d',
    async (colorScheme, width) => {
      const viewport = { width, height: 900 }
      await using page = await openAsOperator(service, '/monitors?q=Edge', { colorScheme, viewport })
      const faults = faultsOf(page)
      await page.getByRole('link', { name: 'Edge', exact: true }).click()
      await asked(
        page,
        /^Why\? Edge$/,
        /^Edge fails, and no incident is open: Edge gateway, on which it depends, is down/,
        'dependency',
      )
      await page.goto(`${service.url}/alerts`)
      await asked(
        page,
        /^Why\? incident of Edge gateway$/,
        /^The incident of Edge gateway is open since/,
        'threshold',
      )
      await page.getByRole('link', { name: 'Story' }).first().click()
      await asked(
        page,
        /^Why\? incident of Edge gateway$/,
        /2 checks in a row failed; the threshold is 2\.$/,
        'threshold',
      )
      await page.getByRole('link', { name: 'Edge gateway' }).first().click()
      await page.getByText(/^\d+ settled$/).click()
      await asked(
        page,
        /^Why\? .*[Rr]ed.* was delivered/,
        /^Red of Edge gateway to ops was delivered at/,
        'delivery',
      )
      expect(faults).toEqual([])
    },
  )

  it('is not offered to those who are not signed in', async () => {
    await using page = await service.open('/alerts')
    await page.getByRole('link', { name: 'Edge gateway' }).first().waitFor()
    expect(await page.getByRole('button', { name: /^Why\?/ }).count()).toBe(0)
  })
})
