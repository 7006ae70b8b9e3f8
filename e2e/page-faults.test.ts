// The looks of page-faults.ts notice what is wrong in one theme alone and in one size alone.
import { chromium } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { describeLongInBrowser } from './describe-in-browser.ts'
import { smallPageFaults } from './page-faults.ts'

const page = (style: string) => `<!doctype html><html lang="en"><title>A page</title>
<style>
  :root { color-scheme: light dark }
  body { background: light-dark(#fff, #000); color: light-dark(#000, #fff) }
  ${style}
</style>
<main><h1>A page</h1><p>Words</p></main></html>`

describeLongInBrowser('a small page', () => {
  it.each([
    ['', []],
    ['p { color: light-dark(#111, #333) }', [/^dark: color-contrast: <p>/]],
    ['p { color: light-dark(#ddd, #eee) }', [/^light: color-contrast: <p>/]],
    ['@media (width < 400px) { p { width: 500px } }', [/^360 pixels wide: \d+ pixels are to the right/]],
    ['@media (height < 500px) { p { width: 700px } }', [/^640 pixels wide: \d+ pixels are to the right/]],
  ])('that is styled by %j has what is wrong with it told', async (style, expected) => {
    await using browser = await chromium.connect(inject('browserEndpoint')!)
    await using tab = await browser.newPage()
    await tab.setContent(page(style))
    expect(await smallPageFaults(tab)).toEqual(expected.map((words) => expect.stringMatching(words)))
  })
})
