// One operation over many monitors: selected one by one or by a filter, counted, confirmed, carried out with its progress, and
// told item by item.
import type { v2 } from '@pulseward/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManaged, startActed } from './acted-fleet.ts'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { enlarged, faultsOf, smallPageFaults, violationsOf } from './page-faults.ts'
import type { ServiceWithPage } from './service-with-page.ts'
import { hostileName } from './troubled-fleet.ts'

const bar = (page: Page) => page.getByRole('group', { name: 'Selected monitors' })
const ofBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
/** The first click takes the page; then all matches are offered. */
const selectPage = (page: Page) =>
  page.getByRole('checkbox', { name: 'Select the rows of this page' }).check()
const dialogOf = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true })
const why = (page: Page) => dialogOf(page).getByRole('textbox', { name: /^Why/ })
const says = (page: Page, words: string | RegExp) => dialogOf(page).getByText(words).waitFor()

async function closeDialog(page: Page): Promise<void> {
  await inDialog(page, 'Close').click()
  await dialogOf(page).waitFor({ state: 'detached' })
}

describeLongInBrowser('asking something of many monitors', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await startActed('http://127.0.0.1:1/')
    await createManaged(service, 'till-1', 'till-2', 'till-3')
  })
  afterAll(() => service[Symbol.asyncDispose]())
  const open = (path: string, options = {}) => service.openAs(service.operatorToken(), path, options)

  it('takes ticked rows, by mouse and by key, and tells which one somebody else changed before its turn', async () => {
    await using page = await open('/monitors?q=till&sort=name')
    const faults = faultsOf(page)
    await page.getByRole('checkbox', { name: 'Select till-1' }).check()
    await page.getByRole('link', { name: 'till-2' }).focus()
    await page.keyboard.press('m')
    await bar(page).getByText('2 selected').waitFor()
    await ofBar(page, 'Snooze').click()
    await inDialog(page, 'Continue').click()
    await says(page, 'Give a reason: others read it in the history.')
    await why(page).fill('a move')
    await inDialog(page, 'Continue').click()
    await says(page, 'This applies to 2 monitors.')
    const client = operatorClient(service)
    const { data } = await client.getMonitor({ id: 'till-2' })
    const revision = data.status!.controlRevision!
    const body = { revision, reason: 'faster', duration: '1h' }
    await client.snoozeMonitor({ id: 'till-2', ifMatch: revision, body })
    await inDialog(page, 'Snooze 2').click()
    await says(page, '1 of 2 monitors done.')
    await says(page, '1 skipped: somebody else changed it in the meantime')
    await dialogOf(page).getByRole('listitem').getByText('till-2').waitFor()
    await dialogOf(page).getByText('1 done', { exact: true }).click()
    await dialogOf(page).getByRole('listitem').getByText('till-1').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await closeDialog(page)
    await bar(page).getByText('2 selected').waitFor()
    await ofBar(page, 'Select none').click()
    await bar(page).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('takes the monitor that had the focus, wherever its trouble has moved it', async () => {
    await using page = await open('/monitors')
    const rowOf = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
    const link = page.getByRole('link', { name: 'Search' })
    await link.focus()
    const before = await rowOf('Search').getAttribute('data-index')
    service.target.breaks('/search')
    await rowOf('Search').getByText('Incident').waitFor()
    expect(await rowOf('Search').getAttribute('data-index')).not.toBe(before)
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('m')
    await bar(page).getByText('1 selected').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Select Search' }).isChecked()).toBe(true)
    service.target.mends('/search')
    await rowOf('Search').getByText('Up').waitFor()
  })

  it('takes all that a filter finds, and leaves out what files manage with a sentence', async () => {
    await using page = await open('/monitors')
    await selectPage(page)
    await ofBar(page, 'Select all 11').click()
    await bar(page).getByText('All 11 monitors selected').waitFor()
    await ofBar(page, 'Disable').click()
    await says(page, 'For each of 11 monitors:')
    await inDialog(page, 'Continue').click()
    await says(page, 'This applies to 3 monitors.')
    await says(page, '8 monitors are left out: monitors of a fleet file can be disabled only in that file.')
    await inDialog(page, 'Disable 3').click()
    await says(page, '3 of 3 monitors done.')
    await closeDialog(page)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('disabled')
    await page.getByText('1–3 of 3 monitors that match').waitFor()
    // Another filter finds others: what was meant before is not selected any more.
    await bar(page).waitFor({ state: 'detached' })
  })

  it('means open incidents where the verb does, and shows how far it is', async () => {
    await using page = await open('/monitors?q=Checkout')
    await page.getByText('Incident').first().waitFor()
    await page.goto(`${service.url}/monitors?status=incident`)
    let looks = 0
    await page.route(/\/api\/v2\/operations\/[^/]+\?limit=1$/, async (route) => {
      const response = await route.fetch()
      const operation = (await response.json()) as v2.Operation
      const itemCount = operation.itemCount ?? 0
      const halfway = { ...operation, state: 'applying', committed: 1, itemCount }
      await route.fulfill({ response, json: ++looks <= 3 ? halfway : operation })
    })
    await selectPage(page)
    await bar(page)
      .getByRole('button', { name: /^Select all / })
      .click()
    await ofBar(page, 'Acknowledge').click()
    await inDialog(page, 'Continue').click()
    await says(page, /^Of \d+ monitors?, \d+ ha(ve|s) an open incident\.$/)
    await dialogOf(page)
      .getByRole('button', { name: /^Acknowledge \d+$/ })
      .click()
    await dialogOf(page).getByRole('progressbar', { name: 'Progress' }).waitFor()
    await says(page, /^1 of \d+ are done\.$/)
    await says(page, /^\d+ of \d+ monitors? done\.$/)
    await closeDialog(page)
    await page.goto(`${service.url}/alerts`)
    await page.getByText('first is looking into it.').first().waitFor()
  })

  it('says when none of them can be asked', async () => {
    await using page = await open('/monitors?q=Search')
    await selectPage(page)
    await ofBar(page, 'Dismiss').click()
    await why(page).fill('a drill')
    await inDialog(page, 'Continue').click()
    await says(page, 'None of them has an open incident.')
    await closeDialog(page)
    await ofBar(page, 'Disable').click()
    await inDialog(page, 'Continue').click()
    await says(page, 'No monitor is left to change.')
    await says(page, '1 monitor is left out')
  })

  it('looks at the operation when the answer to its start is lost, and starts nothing by itself', async () => {
    await using page = await open('/monitors?q=Search')
    const starts: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/activate')) starts.push(request.method())
    })
    await page.route('**/activate', (route) => route.abort('connectionreset'))
    await selectPage(page)
    await ofBar(page, 'Snooze').click()
    await why(page).fill('a drill')
    await inDialog(page, 'Continue').click()
    await inDialog(page, 'Snooze 1').click()
    await says(page, /The answer was lost, but nothing has started\./)
    expect(starts).toHaveLength(1)
    await page.unroute('**/activate')
    await inDialog(page, 'Snooze 1').click()
    await says(page, '1 of 1 monitor done.')
    expect(starts).toHaveLength(2)
  })

  it('does not cut what is too much for one operation', async () => {
    await using page = await open('/monitors')
    await selectPage(page)
    await ofBar(page, 'Select all 11').click()
    await page.route(/\/api\/v1\/monitors\?.*size=500/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), total: 10_001 } })
    })
    await ofBar(page, 'Snooze').click()
    await says(page, 'One operation takes at most 10,000 monitors. Choose fewer.')
    expect(await inDialog(page, 'Continue').count()).toBe(0)
  })

  it('is not offered to a reader', async () => {
    await using page = await service.openAs(service.readerToken('ada'), '/monitors?q=till')
    await page.getByRole('link', { name: 'till-1' }).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await bar(page).count()).toBe(0)
  })

  it('fits a phone and a page enlarged to 200 %, and breaks no rule in either theme', async () => {
    await using page = await open('/monitors', enlarged)
    const fits = async () => expect(await smallPageFaults(page)).toEqual([])
    await page.getByRole('checkbox', { name: `Select ${hostileName}` }).check()
    await bar(page).getByText('1 selected').waitFor()
    await fits()
    await ofBar(page, 'Snooze').click()
    await why(page).fill('a drill')
    await fits()
    await inDialog(page, 'Continue').click()
    await says(page, 'This applies to 1 monitor.')
    await fits()
    await inDialog(page, 'Snooze 1').click()
    await says(page, '1 of 1 monitor done.')
    await dialogOf(page).getByText('1 done', { exact: true }).click()
    await dialogOf(page).getByRole('listitem').getByText(hostileName).waitFor()
    await fits()
  })
})
