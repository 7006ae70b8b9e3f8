// From an empty machine to a red that arrived: `pulseward serve --edition next` on a terminal, the link that it prints, and
// then the page alone.
import { temporaryFolder } from '@pulseward/testing'
import { hasTerminal, onTerminal, RunningCommand } from '@pulseward/testing/process'
import { HttpTarget } from '@pulseward/testing/targets'
import { chromium } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'

const threeMinutesMs = 180_000
const phone = { viewport: { width: 390, height: 844 } }

describeLongInBrowser('the first minutes', () => {
  it.runIf(hasTerminal)('lead from an empty folder to a red that arrived, and back', async () => {
    await using site = await HttpTarget.start()
    await using chat = await HttpTarget.start()
    using folder = temporaryFolder()
    const begunMs = performance.now()
    await using service = new RunningCommand(['serve', '--edition', 'next', '--listen', '127.0.0.1:0'], {
      cwd: folder.root,
      environment: {
        PULSEWARD_DATA: folder.path('pulseward-data'),
        // The chat of this test is on this machine.
        PULSEWARD_ALLOW_LOOPBACK_NOTIFY: 'true',
      },
      through: onTerminal,
    })
    const [, link = ''] = await service.until('stdout', /^Sign in +(http:\S+)\s[\s\S]*^Stop /m)
    await using browser = await chromium.connect(inject('browserEndpoint')!)
    await using page = await (await browser.newContext(phone)).newPage()
    const faults = faultsOf(page)
    await page.goto(link)

    await page.getByRole('textbox', { name: 'The address of a website or an API' }).fill(site.url('/'))
    await page.getByRole('button', { name: 'Watch it' }).click()
    await page.getByText('is watched. Its first check is due within a minute.').waitFor()
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('textbox', { name: 'The address of a webhook' }).fill(chat.url('/hook'))
    await page.getByRole('button', { name: 'Tell it' }).click()
    await page.getByText('is told when a monitor fails').waitFor()

    await page.getByRole('button', { name: 'Watch the practice target' }).click()
    await page.getByText('The practice target is up.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    // The steps are still there after a look elsewhere.
    await page.reload()
    await page.getByRole('button', { name: 'Switch it off' }).click()
    await page.getByText('An incident is open.').waitFor()
    await page.getByText('Red to webhook was delivered.').waitFor()
    expect(chat.requests.join()).toContain('Practice target is down: status 503')
    expect(performance.now() - begunMs).toBeLessThan(threeMinutesMs)
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Switch it on' }).click()
    await page.getByText('It has recovered, and the incident is closed.').waitFor()
    await page.getByText('Green to webhook was delivered.').waitFor()
    expect(chat.requests.join()).toContain('Practice target has recovered')
    await page.getByRole('button', { name: 'Remove it and finish' }).click()
    await page.getByRole('heading', { level: 1, name: /1 monitor|The one monitor/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
