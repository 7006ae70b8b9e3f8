import { RunningCommand } from '@pulseward/testing/process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { ServiceWithPage } from './service-with-page.ts'

async function ground(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
}

const light = 'rgb(246, 247, 249)'
const dark = 'rgb(14, 17, 22)'

describeInBrowser('the appearance', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate', { fleet: (target) => target.fleet(0) })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('follows the operating system while it says System', async () => {
    await using page = await service.open('/settings', { colorScheme: 'light' })
    await expect.poll(() => ground(page)).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => ground(page)).toBe(dark)
  })

  it('that was chosen is seen at once, and survives a reload and the operating system', {
    tags: 'long',
  }, async () => {
    await using page = await service.open('/settings', { colorScheme: 'light' })
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect.poll(() => ground(page)).toBe(dark)
    await page.reload()
    await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor()
    await expect.poll(() => ground(page)).toBe(dark)
    await page.getByRole('radio', { name: 'System' }).check()
    await expect.poll(() => ground(page)).toBe(light)
  })

  it('is that of the program as people start it, from its bundles', async () => {
    await using command = await RunningCommand.serve(['--allow-empty', '--log-level', 'error'])
    const pageOf = async (url: string) => (await fetch(url)).text()
    expect(await pageOf(command.url)).toBe(await pageOf(service.url))
  })

  it('is switched by the bar', { tags: 'long' }, async () => {
    await using page = await service.open('/', { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Switch to light' }).click()
    await expect.poll(() => ground(page)).toBe(light)
  })
})
