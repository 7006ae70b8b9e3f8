import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createInbox } from './inbox.ts'

async function inbox(restart: (monitor: number) => boolean = () => true) {
  const server = createInbox(restart).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async (path: string, body: string) =>
    (await fetch(`${url}${path}`, { method: 'POST', body })).status
  return { send, page: async () => (await fetch(url)).text() }
}

describe('the inbox of a demo', () => {
  it('shows what was sent and to whom, the newest first', async () => {
    const { send, page } = await inbox()
    expect(await page()).toContain('Nothing yet.')
    await send('/team-chat', '{"color":"red","summary":"Checkout API is down"}')
    await send('/on-call-pager', '{"color":"green","summary":"Checkout API has recovered"}')
    const shown = await page()
    expect(shown.indexOf('has recovered')).toBeLessThan(shown.indexOf('is down'))
    expect(shown).toContain('<td>team-chat<td class="red">red<td>Checkout API is down')
  })

  it('shows whatever else is sent as text', async () => {
    const { send, page } = await inbox()
    await send('/<b>', '{"color":"<i>\\"","summary":"<script>alert(1)</script>"}')
    await send('/x', 'not JSON <img>')
    await send('/x', 'null')
    const shown = await page()
    for (const sign of ['<script', '<img', '<i>', '<b>']) expect(shown).not.toContain(sign)
    expect(shown).toContain('not JSON &#60;img&#62;')
  })

  it('keeps the last two hundred', async () => {
    const { send, page } = await inbox()
    for (let count = 0; count < 201; count++)
      await send('/chat', JSON.stringify({ summary: `message ${count}.` }))
    const shown = await page()
    expect([shown.includes('message 0.'), shown.includes('message 1.')]).toEqual([false, true])
  })

  it('restarts a service, or says that it could not', async () => {
    const { send, page } = await inbox((monitor) => monitor === 7)
    expect([await send('/restart/7', '{}'), await send('/restart/8', '{}')]).toEqual([200, 500])
    expect(await page()).toContain('Nothing yet.')
  })
})
