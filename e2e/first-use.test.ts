// The first minutes: an empty fleet, and the way to the first monitor.
import { expect, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { operatorClient } from './operator-client.ts'
import { openAsOperator } from './operator-page.ts'
import { faultsOf, sidewaysPixels, violationsOf } from './page-faults.ts'
import { ServiceWithPage } from './service-with-page.ts'

const empty = () => ({ version: 1, monitors: [] })

describeLongInBrowser('over an empty fleet', () => {
  it('an operator watches the first service with an address and one key', async () => {
    await using service = await ServiceWithPage.start('next', { fleet: empty })
    await using page = await openAsOperator(service, '/', { viewport: { width: 360, height: 740 } })
    const faults = faultsOf(page)
    const field = page.getByRole('textbox', { name: 'The address of a website or an API' })
    await field.fill('https://user:secret@example.com/')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Enter an address such as').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await field.fill(`${service.url}/api/v1/healthz`)
    await page.keyboard.press('Enter')
    await page.getByText(/is watched\. Its first check is due within a minute\./).waitFor()
    await page.getByRole('heading', { level: 1, name: /1 monitor|The one monitor/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0)
    const { port } = new URL(service.url)
    const client = operatorClient(service)
    const { data } = await client.getMonitor({ id: `127-0-0-1-${port}` })
    expect(data.spec.check.driver).toEqual({ type: 'http', config: { url: `${service.url}/api/v1/healthz` } })
    await page.getByRole('link', { name: 'Choose who is notified when it fails' }).click()
    await page.getByRole('heading', { level: 1, name: 'New endpoint' }).waitFor()
    await page.goto(service.url)
    await page.getByText('Until then nobody is told').waitFor()
    await page.getByRole('button', { name: 'Leave the first steps' }).click()
    await page.getByRole('heading', { name: 'Fleet by status' }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('an operator is led to other kinds of checks', async () => {
    await using service = await ServiceWithPage.start('next', { fleet: empty })
    await using page = await openAsOperator(service, '/')
    await page.getByRole('link', { name: 'Choose another kind of check' }).click()
    await page.getByRole('heading', { level: 1, name: 'New monitor' }).waitFor()
    await page.getByRole('link', { name: /^PostgreSQL/ }).waitFor()
  })

  it.each(['main', 'candidate', 'next'] as const)('others copy commands (%s)', async (edition) => {
    await using service = await ServiceWithPage.start(edition, {
      fleet: empty,
      words: edition === 'next' ? [] : ['--allow-empty'],
    })
    await using page = await service.open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('textbox', { name: 'The address of a website or an API' }).fill('shop.example.com')
    await page.getByText('url: "https://shop.example.com/"').waitFor()
    expect(await page.getByRole('button', { name: 'Watch it' }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Copy the commands' }).click()
    await page.getByText('Copied.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain('npx pulseward serve --config fleet.yaml')
  })
})

describeLongInBrowser('over a fleet that tells nobody', () => {
  const watched = (port: number) => ({
    version: 1,
    monitors: [{ name: 'Somewhere', check: { type: 'tcp', config: { host: '127.0.0.1', port } } }],
  })

  it('an operator is led to tell somebody, until that is done or declined', async () => {
    await using service = await ServiceWithPage.start('next', { fleet: () => watched(9) })
    await using page = await openAsOperator(service, '/')
    await page.getByText('One monitor is there already.').waitFor()
    await page.getByRole('textbox', { name: 'The address of a webhook' }).waitFor()
    await page.getByRole('button', { name: 'Leave the first steps' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'Fleet by status' }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  })

  it('a destination makes the steps go away', async () => {
    const fleet = { ...watched(9), endpoints: { journal: { type: 'log' } } }
    await using service = await ServiceWithPage.start('next', { fleet: () => fleet })
    await using page = await openAsOperator(service, '/')
    // Everything that decides it has arrived.
    await page.getByRole('heading', { name: 'Fleet by status' }).waitFor()
    await page.getByRole('link', { name: 'Somewhere' }).first().waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  })
})
