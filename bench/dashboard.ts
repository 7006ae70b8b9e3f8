// bench/dashboard.ts: the page at a million monitors in a real browser: how soon the first view is usable, how soon new
// rows are shown after a keystroke, the longest frame while scrolling, and whether memory stays flat over refreshes.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { buildDashboard } from '../scripts/build-dashboard.ts'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { type Targets, writeFleet } from './fleet-file.ts'
import { get, settle, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const firstChecksMs = 30_000
const longestRefreshMs = 30_000
/** With many monitors down the page shows something else. */
const leastUpPercent = 99
const words = ['service 1', 'service 12', 'service 123', 'eastern', 'region']

export const dashboard = defineBenchmark({
  about: 'The page at a million monitors in a real browser.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors of the fleet'),
    refreshes: wholeNumber(100, 'refreshes over which memory must stay flat', 4),
  },
  run: ({ monitors, refreshes }) => visit(monitors, refreshes),
})

async function visit(monitors: number, refreshes: number): Promise<Measurement> {
  buildDashboard()
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '4'])
  const shape = { monitors, intervalSeconds: 600, type: 'tcp', deadPercent: 0, names: false } as const
  const fleetFile = writeFleet(folder.path, shape, targets)
  const service = await startService(children, { fleetFile, edition: 'candidate', resolver: null })
  // The first checks of all monitors are an additional load; people look at a fleet that has settled.
  await settle(service.url, firstChecksMs)
  await using browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const result = {
    monitors,
    first_view_ms: await firstView(page, service.url),
    ...(await keystrokes(page, service.url)),
    longest_frame_ms: await longestFrame(page, service.url),
    ...(await memoryOver(page, service.url, refreshes)),
  }
  for (const [name, value] of Object.entries(result)) console.error(`${name.padEnd(24)} ${value}`)
  const { total, up_percent } = await get(service.url, 'overview')
  const undone =
    total === monitors && up_percent >= leastUpPercent
      ? []
      : [`${total} of ${monitors} monitors were shown, ${up_percent} % of them up.`]
  return { figures: result, undone }
}

async function firstView(page: Page, url: string): Promise<number> {
  const beganMs = performance.now()
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('canvas').first().waitFor()
  return performance.now() - beganMs
}

/** For each of the words, and for the slowest. */
async function keystrokes(page: Page, url: string) {
  await page.goto(`${url}/monitors`)
  const search = page.getByRole('searchbox').first()
  await search.waitFor()
  await page.locator('tbody tr').first().waitFor()
  const took: number[] = []
  for (const word of words) {
    await search.fill('')
    await page.waitForTimeout(700)
    took.push(await search.evaluate(typeAndWait, word))
  }
  return { keystroke_ms: Math.max(...took), keystrokes_ms: took.map(Math.round) }
}

/** Runs in the page: from the keystroke to the frame after the count of the new rows has changed. */
function typeAndWait(input: SVGElement | HTMLElement, word: string): Promise<number> {
  return new Promise((resolve) => {
    const count = () => document.querySelector('main p[role="status"]')?.textContent
    const before = count()
    const beganMs = performance.now()
    const observer = new MutationObserver(() => {
      if (count() === before) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - beganMs))
    })
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    // React only notices values that are set with the native setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, word)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

async function longestFrame(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/monitors?size=500`)
  await page.locator('tbody tr').first().waitFor()
  await page.mouse.move(700, 500)
  await page.evaluate(() => {
    const frames: number[] = []
    let last = performance.now()
    const look = (nowMs: number) => {
      frames.push(nowMs - last)
      last = nowMs
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(window, { frames })
  })
  for (let turn = 0; turn < 60; turn++) {
    await page.mouse.wheel(0, 400)
    await page.waitForTimeout(30)
  }
  return page.evaluate(() => Math.max(...(window as unknown as { frames: number[] }).frames.slice(2)))
}

/** The memory of the page after a collection, at the beginning and after each quarter of the refreshes. */
async function memoryOver(page: Page, url: string, refreshes: number) {
  await page.goto(url)
  await page.locator('canvas').first().waitFor()
  const session = await page.context().newCDPSession(page)
  const memory = async () => {
    await session.send('HeapProfiler.collectGarbage')
    // Objects, the document, and the bytes of the map.
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage')
    return usedSize + embedderHeapUsedSize + backingStorageSize
  }
  await sleep(10_000)
  const memoryBytes = [await memory()]
  let seen = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/api/v1/overview') && answer.status() < 400) seen++
  })
  for (let quarter = 1; quarter <= 4; quarter++) {
    const beganMs = performance.now()
    while (seen < (refreshes * quarter) / 4) {
      if (performance.now() - beganMs > refreshes * longestRefreshMs)
        throw new Error('The page does not refresh.')
      await sleep(1_000)
    }
    memoryBytes.push(await memory())
  }
  return { refreshes, memory_bytes: memoryBytes }
}
