// Two people who act on one monitor, and answers that are lost: nothing is overwritten, nothing is repeated by itself, and
// each is told what happened and who did it.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManaged, goToMonitor, startActed, told } from './acted-fleet.ts'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import type { ServiceWithPage } from './service-with-page.ts'

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true })
const why = (page: Page) => dialogOf(page).getByRole('textbox', { name: /^Why/ })
const since = (page: Page) => dialogOf(page).getByRole('list', { name: 'Since you opened this' })
const outcome = (page: Page) => dialogOf(page).getByRole('heading', { level: 3 })

/** Every write that the page sends. */
function writesOf(page: Page): readonly string[] {
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(new URL(request.url()).pathname)
  })
  return writes
}

describeLongInBrowser('people at two browsers', () => {
  let service: ServiceWithPage
  let graceToken: string
  beforeAll(async () => {
    service = await startActed('http://127.0.0.1:1/')
    await createManaged(service, 'till')
    graceToken = service.secondOperatorToken('grace')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const both = async (name: string, options = {}) => {
    const mine = await service.openAs(service.operatorToken(), '/settings', options)
    const hers = await service.openAs(graceToken, '/settings')
    await goToMonitor(mine, service, name)
    await goToMonitor(hers, service, name)
    return { mine, hers }
  }

  it('dismiss one incident: the second is told who was faster, and that nothing is left to do', async () => {
    const { mine, hers } = await both('Shared', { viewport: { width: 360, height: 740 } })
    const faults = faultsOf(mine)
    const writes = writesOf(mine)
    await button(mine, 'Dismiss').click()
    await why(mine).fill('mine')
    await button(hers, 'Dismiss').click()
    await why(hers).fill('known <i>since</i> noon')
    await told(hers, 'Shared: the incident is dismissed.', inDialog(hers, 'Dismiss').click())
    await inDialog(mine, 'Dismiss').click()
    await outcome(mine)
      .getByText('Somebody changed it in the meantime, so your request was not carried out.')
      .waitFor()
    await since(mine).getByText('Incident dismissed: no more notifications about it by grace.').waitFor()
    await since(mine).getByText('known <i>since</i> noon').waitFor()
    expect(await violationsOf(mine)).toEqual([])
    expect(await sidewaysPixels(mine)).toBeLessThanOrEqual(0)
    await inDialog(mine, 'Look again').click()
    await dialogOf(mine).getByText('Its incident is already dismissed').waitFor()
    expect(await inDialog(mine, 'Dismiss').count()).toBe(0)
    expect(writes).toHaveLength(1)
    expect(faults).toEqual([])
    await mine.context().close()
    await hers.context().close()
  })

  it('snooze one monitor: the second looks again, keeps what it typed, and asks on what it has seen', async () => {
    const { mine, hers } = await both('Search')
    await button(mine, 'Snooze').click()
    await why(mine).fill('the whole night')
    await dialogOf(mine).getByRole('radio', { name: '8 hours' }).check()
    await button(hers, 'Snooze').click()
    await why(hers).fill('lunch')
    await told(hers, 'Search: it is snoozed.', inDialog(hers, 'Snooze').click())
    await inDialog(mine, 'Snooze').click()
    await since(mine).getByText('Snoozed by grace.').waitFor()
    await inDialog(mine, 'Look again').click()
    await dialogOf(mine)
      .getByText(/It is snoozed now. The snooze ends in 5\d min/)
      .waitFor()
    await expect.poll(() => why(mine).inputValue()).toBe('the whole night')
    await told(mine, 'Search: it is snoozed.', inDialog(mine, 'Snooze').click())
    await mine.getByText(/The snooze ends in 7 h 5\d min/).waitFor()
    await mine.context().close()
    await hers.context().close()
  })

  it('change one monitor: the edit of the other is shown field by field', async () => {
    await using mine = await service.openAs(service.operatorToken(), '/settings')
    await goToMonitor(mine, service, 'till')
    await button(mine, 'Disable').click()
    await inDialog(mine, 'Disable').waitFor()
    const client = operatorClient(service, graceToken)
    const { resourceVersion } = await client.getMonitor({ id: 'till' })
    await client.patchMonitor({
      id: 'till',
      ifMatch: resourceVersion!,
      body: { spec: { check: { interval: '2h' }, tags: ['<script>'] } },
    })
    await inDialog(mine, 'Disable').click()
    await since(mine).getByText('grace changed it.').waitFor()
    await since(mine).getByText('check › interval').waitFor()
    await since(mine).getByText('2h').waitFor()
    await inDialog(mine, 'Look again').click()
    await told(mine, 'till: it is disabled.', inDialog(mine, 'Disable').click())
  })

  it('lose an answer of what was done: it is looked at, told, and sent only once', async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    const writes = writesOf(page)
    await goToMonitor(page, service, 'Lost')
    await page.route('**/acknowledge', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await button(page, 'Acknowledge').click()
    await inDialog(page, 'Acknowledge').click()
    await outcome(page)
      .getByText('Unknown: the answer was lost. It has changed since you opened this.')
      .waitFor()
    await since(page).getByText('Incident acknowledged by first.').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('first has been looking into it for').waitFor()
    expect(writes).toEqual([expect.stringMatching(/\/acknowledge$/)])
  })

  it('lose a request before it arrives: it is as it was, and a person asks anew', async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    const writes = writesOf(page)
    await goToMonitor(page, service, 'Lost')
    await page.route('**/dismiss', (route) => route.abort('connectionreset'))
    await button(page, 'Dismiss').click()
    await why(page).fill('a drill')
    await inDialog(page, 'Dismiss').click()
    await outcome(page)
      .getByText(/^Unknown: the answer was lost\. It has not changed so far\./)
      .waitFor()
    await inDialog(page, 'Look again').click()
    await outcome(page)
      .getByText(/It has not changed so far/)
      .waitFor()
    expect(writes).toHaveLength(1)
    await page.unroute('**/dismiss')
    await inDialog(page, 'Start over').click()
    await expect.poll(() => why(page).inputValue()).toBe('a drill')
    await told(page, 'Lost: the incident is dismissed.', inDialog(page, 'Dismiss').click())
    expect(writes).toHaveLength(2)
  })

  it('cannot look at what became of it: that is said, and looking is offered', async () => {
    await using page = await service.openAs(service.operatorToken(), '/settings')
    await goToMonitor(page, service, 'Lost')
    await button(page, 'Reopen').click()
    await inDialog(page, 'Reopen').waitFor()
    await page.route('**/api/**', (route) => route.abort('connectionrefused'))
    await inDialog(page, 'Reopen').click()
    await outcome(page)
      .getByText('Unknown: the answer was lost. It cannot be read now; look again in a moment.')
      .waitFor()
    await page.unroute('**/api/**')
    await inDialog(page, 'Look again').click()
    await outcome(page)
      .getByText(/It has not changed so far/)
      .waitFor()
  })
})
