// Links in messages by which people acknowledge a page: what each of them answers, and what it does.
import { expectV2Answer } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { FleetHead } from '../config/fleet-file/schema.ts'
import { AckLinks } from '../engine/ack-links.ts'

const log = { type: 'log', config: {} }
const head: FleetHead = {
  endpoints: { push: log, phone: log },
  people: { ana: { name: 'Ana <b>"Berg"</b>', endpoints: ['push'] }, bo: { endpoints: ['phone'] } },
  policies: {
    page: {
      steps: [{ notify: [{ person: 'ana' }] }, { notify: [{ person: 'bo' }] }],
      repeat: 5,
      ack_timeout: '1h',
    },
  },
}
const open = { 'oncall.ack_links': true }

/** Two monitors of one policy that are down, served. */
async function serving(settings: object = open) {
  const often = { interval: '5s', timeout: '2s', unhealthy_threshold: 1, healthy_threshold: 1 }
  const monitors = ['edge', 'shop'].map((id) => {
    const plain = http(id)
    return { ...plain, name: `<i>${id}</i>`, policy: 'page', check: { ...plain.check, ...often } }
  })
  const service = await TestService.start({ monitors, head })
  await service.advance({ seconds: 11 })
  for (const id of ['edge', 'shop']) service.target(id).goesDown('status <script>alert(1)</script>')
  await service.advance({ seconds: 45 })
  const next = await serveNext(service, { settings })
  const links = new AckLinks(service.store.identity)
  const [page] = service.engine.reading.pages.pages
  const tokenOf = (person = 'ana', ageMs = 0) =>
    links.write({ page: page!.id, person }, service.clock.wallMs() - ageMs)
  return { service, next, tokenOf }
}

const incidentsOf = async (next: ServedNext) =>
  (await expectV2Answer('ListIncidents', await next.call('ListIncidents'))).items

async function ask(next: ServedNext, token: string, method = 'GET') {
  const answer = await next.get(`/ack/${token}`, { method, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const titleOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]

describe('a link to acknowledge', () => {
  it('shows what is down, and acknowledges all of it as the person when it is posted, once', async () => {
    const { service, next, tokenOf } = await serving()
    await using _ = next
    const shown = await ask(next, tokenOf())
    expect(shown.status).toBe(200)
    expect(titleOf(shown.text)).toBe('2 monitors of page are down')
    expect(shown.text).toMatch(
      /&lt;i&gt;(edge|shop)&lt;\/i&gt;: status &lt;script&gt;alert\(1\)&lt;\/script&gt;, since /,
    )
    expect(shown.text).toContain(
      '<form method="post"><button type="submit">Acknowledge as Ana &lt;b&gt;&quot;Berg&quot;&lt;/b&gt;</button>',
    )
    expect(shown.text).not.toMatch(/<i>|<b>|<script>/)
    expect(shown.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; form-action 'self'; frame-ancestors 'none'/,
    )
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer')
    // A scanner follows it.
    expect((await ask(next, tokenOf(), 'HEAD')).status).toBe(200)
    expect((await incidentsOf(next)).map(({ acknowledgedBy }) => acknowledgedBy)).toEqual([
      undefined,
      undefined,
    ])

    const done = await ask(next, tokenOf(), 'POST')
    expect([done.status, titleOf(done.text)]).toEqual([
      200,
      'Acknowledged by Ana &lt;b&gt;&quot;Berg&quot;&lt;/b&gt;',
    ])
    const incidents = await incidentsOf(next)
    expect(incidents.map(({ acknowledgedBy }) => acknowledgedBy)).toEqual(['ana', 'ana'])
    expect(incidents[0]?.escalation?.state).toBe('acknowledged')

    for (const [token, method] of [
      [tokenOf(), 'POST'],
      [tokenOf('bo'), 'POST'],
      [tokenOf('bo'), 'GET'],
    ] as const) {
      const again = await ask(next, token, method)
      expect([again.status, titleOf(again.text)]).toEqual([
        200,
        expect.stringMatching(/^Acknowledged by Ana/),
      ])
      expect(again.text).not.toContain('<form')
    }
    expect((await service.events('edge')).filter(({ type }) => type === 'control_acknowledged')).toHaveLength(
      1,
    )

    for (const id of ['edge', 'shop']) service.target(id).comesBack()
    await service.advance({ seconds: 45 })
    const late = await ask(next, tokenOf(), 'POST')
    expect([late.status, titleOf(late.text)]).toEqual([200, 'It is over'])
  })

  it('works again when the page has started again', { tags: 'long' }, async () => {
    const { service, next, tokenOf } = await serving()
    await using _ = next
    await ask(next, tokenOf(), 'POST')
    await service.advance({ seconds: 3_605 })
    const shown = await ask(next, tokenOf('bo'))
    expect(titleOf(shown.text)).toBe('2 monitors of page are down')
    expect(titleOf((await ask(next, tokenOf('bo'), 'POST')).text)).toBe('Acknowledged by bo')
    expect((await incidentsOf(next)).map(({ acknowledgedBy }) => acknowledgedBy)).toEqual(['bo', 'bo'])
  })

  it('that is old, of another store, altered or for somebody who has left says so, and does nothing', async () => {
    const { service, next, tokenOf } = await serving()
    await using _ = next
    const { id, key } = service.store.identity
    const another = new AckLinks({ id: '00000000-0000-4000-8000-000000000000', key })
    const forged = new AckLinks({ id, key: new Uint8Array(32) })
    const [page] = service.engine.reading.pages.pages
    const claim = { page: page!.id, person: 'ana' }
    const right = tokenOf()
    const last = right.at(-2) === 'A' ? 'B' : 'A'
    const cases = [
      [tokenOf('ana', 24 * 3_600_000 + 2_000), 410, 'This link is too old'],
      [another.write(claim, service.clock.wallMs()), 404, 'This link is of another service'],
      [forged.write(claim, service.clock.wallMs()), 404, 'This link is not valid'],
      [`${right.slice(0, -2)}${last}${right.at(-1)}`, 404, 'This link is not valid'],
      [right.slice(0, 40), 404, 'This link is not valid'],
      ['nothing', 404, 'This link is not valid'],
      [tokenOf('cy'), 410, 'This link is no longer valid'],
    ] as const
    for (const [token, status, title] of cases)
      for (const method of ['GET', 'POST']) {
        const answer = await ask(next, token, method)
        expect([title, method, answer.status, titleOf(answer.text)]).toEqual([title, method, status, title])
        expect(answer.text).not.toContain('<form')
      }
    expect((await ask(next, tokenOf('ana', 23 * 3_600_000))).status).toBe(200)
    expect((await incidentsOf(next)).map(({ acknowledgedBy }) => acknowledgedBy)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('leads to the page of the incident, where people sign in, unless the setting allows more', async () => {
    const { service, next, tokenOf } = await serving({})
    await using _ = next
    const [page] = service.engine.reading.pages.pages
    for (const method of ['GET', 'POST']) {
      const answer = await ask(next, tokenOf(), method)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/incidents/${page!.lead.incidentId}`,
      ])
    }
    expect((await ask(next, 'nothing')).status).toBe(404)
    expect((await incidentsOf(next)).map(({ acknowledgedBy }) => acknowledgedBy)).toEqual([
      undefined,
      undefined,
    ])
  })
})
