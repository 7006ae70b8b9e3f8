// What changes while a page is open: a monitor that fails and recovers, a service that goes away and comes back. Each
// test has a separate service and mostly waits for the page's next refresh, so they run in parallel.
import { expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { ServiceWithPage } from './service-with-page.ts'

describeLongInBrowser('while a page is open', () => {
  it.concurrent.each(['main', 'candidate'] as const)(
    'a monitor fails and recovers on screen (%s)',
    async (edition) => {
      await using service = await ServiceWithPage.start(edition)
      await using page = await service.open('/monitors?q=Search')
      await page.getByRole('link', { name: 'Search' }).click()
      const status = page.getByRole('main').locator('strong').first()
      await status.getByText('Up').waitFor()
      service.target.breaks('/search')
      await status.getByText('Incident').waitFor()
      await page.getByText('status 503').first().waitFor()
      service.target.mends('/search')
      await status.getByText('Up').waitFor()
      if (edition === 'candidate') await page.getByText('Incident, until it recovered').first().waitFor()
    },
  )

  it.concurrent('a service that stops is said to be lost, what was read stays with its age, and it comes back', async () => {
    await using service = await ServiceWithPage.start('candidate')
    await using page = await service.open('/system')
    // The heading is there before what stands under it is read.
    const stage = page.getByRole('cell', { name: /^schedule/ })
    await stage.waitFor()
    await service.stop()
    await page.getByText(/The state of the fleet is not known since/).waitFor()
    await page
      .getByText(/Read .* ago\. Pulseward does not answer\./)
      .first()
      .waitFor()
    await stage.waitFor()
    await service.run()
    await page.getByText(/The state of the fleet is not known since/).waitFor({ state: 'detached' })
  })

  it.concurrent('another token signs the page out', async () => {
    await using service = await ServiceWithPage.start('candidate', { token: 'first-token-of-this-test' })
    const httpCredentials = { username: 'svc', password: 'first-token-of-this-test' }
    await using page = await service.open('/monitors', { httpCredentials })
    await page.getByText('124 monitors').first().waitFor()
    await service.stop()
    await service.run({ token: 'second-token-of-this-test' })
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await page.getByText('124 monitors').count()).toBe(0)
  })

  it.concurrent('a fleet over the cap has an overview but no list, and is not shown as empty', async () => {
    await using service = await ServiceWithPage.start('main', { words: ['--index-cap', '10'] })
    await using page = await service.open('/monitors')
    await page.getByText('The list of monitors is not available.').waitFor()
    expect(await page.getByText('No monitor').count()).toBe(0)
    await page.goto(`${service.url}/alerts`)
    await page.getByText('The list of incidents is not available.').waitFor()
    await page.getByText('Notifications in flight').waitFor()
    const none = page.getByText('No notification is waiting or in flight.')
    await none.or(page.getByRole('link', { name: /^Outage/ })).waitFor()
  })

  it.concurrent('a fleet that was never seen is not shown as empty or healthy', async () => {
    await using service = await ServiceWithPage.start('main')
    await using page = await service.open('/settings')
    // As the service answers before its first snapshot, which is sooner taken than a browser opens.
    await page.route(/\/api\/v1\/(overview|monitors|incidents)/, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'unavailable', detail: 'No snapshot has been taken yet.', status: 503 }),
      }),
    )
    for (const path of ['/monitors', '/alerts']) {
      await page.goto(`${service.url}${path}`)
      await page
        .getByText(/is not available\. No snapshot has been taken yet\./)
        .first()
        .waitFor()
      expect(await page.getByText(/No monitor|No incident is open/).count()).toBe(0)
    }
  })
})
