// Status pages, what is written on them, and badges as resources: what is refused, and that files and v2 say the same.
import type { v2 } from '@pulseward/contract'
import { loadFleetFiles } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { pageTexts } from '../config/fleet-file/status-page-words.ts'
import { headOf } from '../fleet/fleet-change.ts'
import { takenOver } from './file-resources.ts'
import { entriesOf } from './head-part.ts'
import { kindOf } from './kind-table.ts'
import { ResourceValidator } from './validate-resource.ts'

const validator = new ResourceValidator(driverShapes)
const there: Readonly<Record<string, readonly string[]>> = { Monitor: ['web', 'api'], StatusPage: ['shop'] }

function mistakesIn(kind: v2.ResourceKind, spec: object, id = 'a'): string[] {
  const around = {
    drivers: driverShapes,
    allowsLocalDrivers: false,
    allowsJobTypes: false,
    jobType: () => null,
    has: (of: v2.ResourceKind, id: string) => there[of]?.includes(id) ?? false,
    someIds: (of: v2.ResourceKind) => there[of] ?? [],
    credentialValue: () => null,
    monitorWithKey: () => null,
    pageAtHost: (host: string, than: string) =>
      host === 'status.shop.example' && than !== 'shop' ? 'shop' : null,
    componentsOf: (page: string) => (page === 'shop' ? ['checkout', 'search'] : null),
    parentsOf: () => [],
  }
  const errors = validator.errors(kind, { metadata: { id }, spec }, around, true)
  return errors.map(({ field, message }) => `${field} ${message}`)
}

const page = (component: object, more: object = {}) => ({
  title: 'Shop',
  groups: [{ name: 'Shop', components: [{ id: 'checkout', name: 'Checkout', ...component }] }],
  ...more,
})
const [early, late] = ['2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z']
const said = (at: string, phase?: v2.IncidentPhase) => ({ at, ...(phase && { phase }), text: 'x' })
const incident = (...updates: object[]) => ({ pageRef: 'shop', title: 'Payments fail', updates })
const maintenance = { from: early, until: late }
const keyDigest = '0'.repeat(64)

describe('status pages, incidents and badges', () => {
  it.each<[v2.ResourceKind, object, ...string[]]>([
    ['StatusPage', page({ monitorRefs: ['web'] }, { host: 'status.example.com', timezone: 'Europe/Rome' })],
    [
      'StatusPage',
      page({}),
      '/spec/groups/0/components/0 has no monitors; name some, or select them by match',
    ],
    [
      'StatusPage',
      page({ monitorRefs: ['wob'], match: {} }, { timezone: 'Mars/Olympus', host: '10.0.0.1' }),
      '/spec/host "10.0.0.1" is an address; write a host name such as status.shop.example',
      '/spec/timezone "Mars/Olympus" is not a time zone; write one such as Europe/Berlin',
      '/spec/groups/0/components/0/match selects every monitor',
      '/spec/groups/0/components/0/monitorRefs/0 there is no monitor "wob". Did you mean "web"?',
    ],
    [
      'StatusPage',
      page({ monitorRefs: ['web'] }, { host: 'status.shop.example' }),
      '/spec/host "status.shop.example" is the host of the status page "shop"; a host shows one page',
    ],
    [
      'StatusPage',
      page(
        { monitorRefs: ['web'] },
        { tokenDigests: [keyDigest], logo: { type: 'image/png', data: 'AAAA' } },
      ),
      '/spec/tokenDigests has no effect on a page that everybody may read; write access: token',
      '/spec/logo is not a PNG',
    ],
    [
      'StatusPage',
      page({ monitorRefs: ['web'] }, { access: 'token', language: 'en', words: { todai: 'x' } }),
      '/spec/access is token, but no token opens the page; write the digest of one, as `pulseward status token` prints it',
      '/spec/words/todai is not a word of a page; `pulseward status words` prints all',
      '/spec/words lack sentence.operational, sentence.under_maintenance, sentence.no_data and',
    ],
    ['StatusIncident', incident(said(early, 'investigating'), said(late, 'resolved'))],
    ['StatusIncident', incident(), '/spec/updates is empty; say at least what is being looked into'],
    [
      'StatusIncident',
      incident(said(early, 'resolved'), said(late, 'monitoring')),
      `/spec/updates/1 comes after the incident was resolved at ${early}; write a new incident, or a postmortem`,
    ],
    [
      'StatusIncident',
      { ...incident(said(late, 'investigating'), said(early)), postmortem: 'x' },
      '/spec/updates/1/at is before the update above it; write the oldest first',
      '/spec/updates/1/phase is missing; it says how far the incident has come',
      '/spec/postmortem is for an incident that is resolved; add an update that resolves it first',
    ],
    [
      'StatusIncident',
      {
        ...incident(said(early, 'identified')),
        pageRef: 'shop',
        components: [
          { id: 'serch', state: 'operational' },
          { id: 'checkout' },
          { id: 'checkout', state: 'major_outage' },
        ],
      },
      '/spec/components/0/id there is no component of the status page shop "serch". Did you mean "search"?',
      '/spec/components/2/id is named already; name each component once',
      '/spec/components/1/state is missing; it is what the page says of the component',
    ],
    [
      'StatusIncident',
      { ...incident(said(early, 'identified')), pageRef: 'nowhere' },
      '/spec/pageRef there is no status-page "nowhere"',
    ],
    ['StatusIncident', { ...incident(said(early)), maintenance, components: [{ id: 'search' }] }],
    [
      'StatusIncident',
      {
        ...incident(said(early, 'resolved')),
        maintenance: { from: late, until: early },
        components: [{ id: 'search', state: 'operational' }],
        postmortem: 'x',
      },
      '/spec/maintenance/until is not after the beginning of the maintenance',
      '/spec/components/0/state is for an incident; components in maintenance are shown as such',
      '/spec/updates/0/phase is for an incident; maintenance goes by its time',
      '/spec/postmortem is for an incident, not for maintenance',
    ],
    ['Badge', { monitorRef: 'web', shows: 'latency', keyDigest }],
    ['Badge', { shows: 'latency', keyDigest }, '/spec names neither a component nor a monitor'],
    [
      'Badge',
      { componentRef: 'shop/serch', shows: 'status', keyDigest },
      '/spec/componentRef there is no component of the status page shop "serch". Did you mean "search"?',
    ],
    [
      'Badge',
      { componentRef: 'shup/search', monitorRef: 'wob', shows: 'status', keyDigest },
      '/spec names both a component and a monitor; name one of them',
      '/spec/componentRef there is no status-page "shup". Did you mean "shop"?',
      '/spec/monitorRef there is no monitor "wob". Did you mean "web"?',
    ],
  ])('are judged: %s %j', (kind, spec, ...sentences) => {
    expect(mistakesIn(kind, spec)).toEqual(sentences.map((sentence) => expect.stringContaining(sentence)))
  })

  it.each(['Shop', 'a.b', '-a', 'x'.repeat(64)])('have no id that is bad in an address: %s', (id) => {
    const sentence = expect.stringContaining('/metadata/id is part of an address')
    expect(mistakesIn('StatusPage', page({ monitorRefs: ['web'] }), id)).toEqual([sentence])
    expect(mistakesIn('StatusIncident', incident(said(early, 'identified')), id)).toEqual([sentence])
  })
})

it('files and v2 mean the same by pages and badges', async () => {
  const { definition } = await loadFleetFiles(`
status_pages:
  shop:
    title: Shop
    host: status.shop.example
    timezone: Europe/Berlin
    language: de
    links: [{ name: Contact, url: "mailto:help@shop.example" }]
    access: token
    token_digests: ["${'a'.repeat(64)}"]
    logo: { type: image/svg+xml, data: ${Buffer.from('<svg></svg>').toString('base64')} }
    words: ${JSON.stringify(pageTexts['en'])}
    groups:
      - name: All
        components:
          - { id: a, name: A, description: B., monitors: [web], down_when: 7%, auto: true }
          - { id: b, name: B, match: { team: x, tag: y } }
  plain: { title: P, groups: [{ name: G, components: [{ id: a, name: A, monitors: [web] }] }] }
badges:
  ${'k'.repeat(24)}: { component: shop/a, shows: status, label: a }
  ${'l'.repeat(24)}: { monitor: web, shows: latency }
monitors:
  - { id: web, name: W, labels: { team: x }, tags: [y], check: { type: tcp, config: { host: a, port: 1 } } }
`)
  const head = headOf(definition)
  const taken = takenOver(head)
  expect(taken.map(({ resource }) => resource.kind)).toEqual(['StatusPage', 'StatusPage', 'Badge', 'Badge'])
  for (const { resource } of taken) {
    const part = kindOf(resource.kind).head!
    const again = part.toFleet(resource.spec, resource, driverShapes)
    expect([resource.id, again]).toEqual([resource.id, entriesOf(head, part.name).get(resource.id)])
  }
})
