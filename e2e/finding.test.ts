// Finding a monitor: by filters that the URL holds, by the palette, and by the keyboard alone.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { pressInTurn } from './press-in-turn.ts'
import { ServiceWithPage } from './service-with-page.ts'
import { hostileName } from './troubled-fleet.ts'

async function takesClicksWhileScrolled(link: Element): Promise<boolean> {
  scrollBy(0, scrollY > 8 ? -8 : 8)
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const { x, y, height } = link.getBoundingClientRect()
  return link.contains(document.elementFromPoint(x + 5, y + height / 2))
}

const quiet = Array.from({ length: 10 }, (_, number) => `Quiet 00${number}`)

describeInBrowser('finding a monitor', () => {
  let service: ServiceWithPage
  beforeAll(async () => {
    service = await ServiceWithPage.start('candidate')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('shows results as one types, and the link of them shows the same', async () => {
    await using page = await service.open('/monitors')
    await page.getByRole('searchbox', { name: 'Name' }).fill('quiet 01')
    await page.getByText('1–10 of 10 monitors that match').waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Type' }).selectOption('http')
    await page.waitForURL(/\?q=quiet\+01&type=http$/)
    await using other = await service.open(new URL(page.url()).pathname + new URL(page.url()).search)
    await other.getByText('1–10 of 10 monitors that match').waitFor()
    await expect.poll(() => other.getByRole('searchbox', { name: 'Name' }).inputValue()).toBe('quiet 01')
  })

  it('goes to any page at once, and says that a page is past the end', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors?size=50')
    await page.getByText('1–50 of 124 monitors').waitFor()
    await page.getByRole('spinbutton', { name: 'Page' }).fill('3')
    await page.keyboard.press('Enter')
    await page.getByText('101–124 of 124 monitors').waitFor()
    await page.goto(`${service.url}/monitors?size=50&page=9`)
    await page.getByText('There is no page 9: the last is 3.').waitFor()
  })

  it('keeps only rows in sight in the document', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors?size=500')
    await page.getByText('1–124 of 124 monitors').waitFor()
    await expect.poll(() => page.locator('tbody tr[data-index]').count()).toBeLessThan(60)
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('125')
  })

  it('makes rows as high as the list estimates, so that none is placed twice', { tags: 'long' }, async () => {
    await using page = await service.open('/monitors')
    const heights = () =>
      page.locator('tbody tr[data-index]').evaluateAll((rows) => rows.map((row) => row.clientHeight))
    await page.getByText('1–100 of 124 monitors').waitFor()
    expect(new Set(await heights())).toEqual(new Set([54]))
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Compact' }).click()
    await expect.poll(async () => [...new Set(await heights())]).toEqual([32])
  })

  it('opens a monitor by a click in this page, and leaves a click for another tab to the browser', {
    tags: 'long',
  }, async () => {
    await using page = await service.open('/monitors?q=quiet')
    const link = page.getByRole('link', { name: 'quiet 012' })
    // The browser is kept from opening the tab: that is its own business, and this one sometimes never finishes it.
    await page.evaluate(() =>
      addEventListener('click', (event) => {
        if (!event.ctrlKey && !event.metaKey) return
        Object.assign(window, { isLeftToTheBrowser: !event.defaultPrevented })
        event.preventDefault()
      }),
    )
    await link.scrollIntoViewIfNeeded()
    expect(await link.evaluate(takesClicksWhileScrolled)).toBe(true)
    await link.click({ modifiers: ['ControlOrMeta'] })
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'isLeftToTheBrowser'))).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/monitors')
    await page.evaluate(() => Object.assign(window, { isTheSamePage: true }))
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'quiet 012' }).waitFor()
    expect(await page.evaluate(() => 'isTheSamePage' in window)).toBe(true)
  })

  it('exports the page with names that no spreadsheet runs', { tags: 'long' }, async () => {
    await using page = await service.open(`/monitors?q=${encodeURIComponent(hostileName)}`)
    await page.getByText('1–1 of 1 monitor that match').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('monitors-page-1.csv')
    const chunks = await Array.fromAsync(await download.createReadStream())
    expect(Buffer.concat(chunks).toString()).toContain(`"${hostileName}"`)
  })

  it('works from anywhere by the palette, which says what it found', async () => {
    await using page = await service.open('/settings')
    await page.keyboard.press('Control+k')
    const input = page.getByRole('combobox', { name: /part of a monitor/ })
    await input.fill('<img')
    await page.getByText('1 monitor found.').waitFor()
    await page.getByRole('option', { name: hostileName }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: hostileName }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  })

  it('returns the focus when the palette is left', { tags: 'long' }, async () => {
    await using page = await service.open('/settings')
    const button = page.getByRole('button', { name: /Find a monitor/ })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('takes no mouse: from the overview to a monitor and back', async () => {
    await using page = await service.open('/')
    await pressInTurn(page, 'g m', page.getByText('1–100 of 124 monitors'))
    await page.keyboard.press('/')
    await page.keyboard.type('quiet 00')
    await page.getByText('1–10 of 10 monitors that match').waitFor()
    // Until each has been checked, they move: what is wrong is first.
    const names = page.getByRole('link', { name: /^Quiet 00\d$/ })
    await expect.poll(() => names.allTextContents()).toEqual(quiet)
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: 'Status' }).blur()
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    await page.getByRole('link', { name: 'Quiet 001' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Quiet 001' }).waitFor()
    await pressInTurn(page, 'g o', page.locator('nav [aria-current=page]', { hasText: 'Overview' }))
    expect(page.url()).toBe(`${service.url}/`)
  })
})
