// One panel that fails to draw, here over an answer of the wrong shape: it says so, the error is logged, and the rest of
// the page goes on.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { faultsOf, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const failed = 'This part of the page failed.'

describeInBrowser('a panel that fails', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate', { fleet: (target) => target.fleet(0) })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  async function openWithAnswer(path: string, api: string, body: object) {
    const page = await service.emptyPage()
    await page.route(`**${api}`, (route) => route.fulfill({ json: body }))
    const faults = faultsOf(page)
    await page.goto(`${service.url}${path}`)
    await page.getByText(failed).first().waitFor()
    return { page, faults }
  }

  it('says so under its heading and leaves the others on the page', async () => {
    const { page, faults } = await openWithAnswer('/system', '/api/v1/queues', {
      queues: {},
      destinations: [],
    })
    await page.getByRole('region', { name: 'Queue', exact: true }).getByText(failed).waitFor()
    await page.getByRole('region', { name: 'Stages of the controller' }).getByRole('table').waitFor()
    // The checks, the queues and the queue are read from the same answer.
    await expect.poll(() => page.getByText(failed).count()).toBe(3)
    expect(faults.join()).toMatch(/Cannot read properties of undefined/)
    expect(await violationsOf(page)).toEqual([])
    await page.close()
  })

  it('that fails before it has a heading leaves the others on the page, too', async () => {
    const { page, faults } = await openWithAnswer('/', '/api/v1/history*', { events: [null] })
    await page.getByRole('region', { name: 'Fleet by status' }).waitFor()
    await page
      .getByRole('region', { name: 'Monitors' })
      .getByRole('link', { name: /Checkout/ })
      .waitFor()
    await expect.poll(() => page.getByText(failed).count()).toBe(1)
    expect(faults).not.toEqual([])
    await page.close()
  })

  it('that stands over every view takes none of them with it', { tags: 'long' }, async () => {
    const page = await service.emptyPage()
    await page.route('**/api/v1/queues', (route) => route.fulfill({ json: { destinations: [null] } }))
    const faults = faultsOf(page)
    await page.goto(`${service.url}/monitors`)
    await page.getByRole('link', { name: 'Checkout' }).waitFor()
    await expect.poll(() => faults.join()).toMatch(/null/)
    await expect.poll(() => page.getByRole('link', { name: 'Checkout' }).count()).toBe(1)
    await page.close()
  })

  it('works again after the page is reloaded', { tags: 'long' }, async () => {
    const { page } = await openWithAnswer('/system', '/api/v1/queues', { queues: {}, destinations: [] })
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload the page' }).first().click()
    await page.getByRole('region', { name: 'Queue', exact: true }).getByText('waiting, of at most').waitFor()
    expect(await page.getByText(failed).count()).toBe(0)
    await page.close()
  })
})
