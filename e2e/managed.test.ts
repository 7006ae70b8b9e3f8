// Monitors that come, change and go while pages are open: through v2, and by a reload of fleet files. The rhythm of the
// pages is stopped, so that what they show was brought forward by the event stream.
import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { ServiceWithPage } from './service-with-page.ts'

const rhythmMs = 5_000

async function openWithoutRhythm(service: ServiceWithPage, path: string): Promise<Page> {
  const page = await service.emptyPage()
  await page.addInitScript((rhythm) => {
    const begin = window.setInterval
    window.setInterval = ((work: TimerHandler, delay?: number) =>
      begin(work, delay === rhythm ? 2 ** 31 - 1 : delay)) as typeof window.setInterval
  }, rhythmMs)
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/v1/events')),
    page.goto(`${service.url}${path}`),
  ])
  return page
}

const check = {
  driver: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } },
  interval: '1h',
  timeout: '1s',
}
const till = (name: string) => ({
  apiVersion: 'pulseward/v2' as const,
  kind: 'Monitor' as const,
  metadata: { id: 'till', name },
  spec: { enabled: false, check },
})

describeLongInBrowser('while pages are open', () => {
  it.concurrent('a monitor is created, renamed and deleted through v2 on all of them', async () => {
    await using service = await ServiceWithPage.start('next')
    const client = operatorClient(service)
    await using overview = await openWithoutRhythm(service, '/')
    await using found = await openWithoutRhythm(service, '/monitors?q=till')
    await using switchedOff = await openWithoutRhythm(service, '/monitors?status=disabled')
    await overview.getByText('124 monitors ·').waitFor()
    await found.getByText('0 monitors match').waitFor()

    const created = await client.createMonitor({ body: till('Till'), ifNoneMatch: '*' })
    await overview.getByText('125 monitors ·').waitFor()
    await found.getByText('1 monitor that match').waitFor()
    await switchedOff.getByRole('link', { name: 'Till' }).waitFor()

    await using own = await openWithoutRhythm(service, '/')
    await own.goto(
      await found.getByRole('link', { name: 'Till' }).evaluate((link) => (link as HTMLAnchorElement).href),
    )
    await own.getByRole('heading', { name: 'Till', exact: true }).waitFor()

    const renamed = await client.patchMonitor({
      id: 'till',
      ifMatch: created.resourceVersion!,
      body: { metadata: { name: '<b>Till</b> at the door' }, spec: { enabled: true } },
    })
    await own.getByRole('heading', { name: '<b>Till</b> at the door' }).waitFor()
    await found.getByRole('link', { name: '<b>Till</b> at the door' }).waitFor()
    await switchedOff.getByText('0 monitors match').waitFor()

    await client.deleteMonitor({ id: 'till', ifMatch: renamed.resourceVersion! })
    await own.getByRole('heading', { name: '<b>Till</b> at the door was deleted' }).waitFor()
    await found.getByText('0 monitors match').waitFor()
    await overview.getByText('124 monitors ·').waitFor()
    await found.getByText(/at the door/).waitFor({ state: 'detached' })
  })

  it.concurrent.each(['main', 'candidate', 'next'] as const)(
    'a reload of fleet files brings one and takes another (%s)',
    async (edition) => {
      const monitor = (id: string, name: string) => ({
        id,
        name,
        enabled: false,
        check: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } },
      })
      const fleet = (...monitors: readonly object[]) => ({ version: 1, monitors })
      await using service = await ServiceWithPage.start(edition, {
        fleet: () => fleet(monitor('stays', 'Stays'), monitor('goes', 'Goes')),
      })
      await using list = await openWithoutRhythm(service, '/monitors')
      await list.getByRole('link', { name: 'Goes' }).click()
      await list.getByRole('heading', { name: 'Goes' }).waitFor()
      await using overview = await openWithoutRhythm(service, '/')
      await overview.getByText('2 monitors ·').waitFor()
      service.reload(fleet(monitor('stays', 'Stays'), monitor('comes', 'Comes'), monitor('too', 'Comes too')))
      await overview.getByText('3 monitors ·').waitFor()
      await list.getByRole('heading', { name: 'Goes was deleted' }).waitFor()
      await list.getByRole('link', { name: 'Go to the list' }).click()
      await list.getByRole('link', { name: 'Comes', exact: true }).waitFor()
    },
  )
})
