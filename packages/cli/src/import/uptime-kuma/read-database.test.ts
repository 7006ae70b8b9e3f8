import { readdirSync, readFileSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { importedFrom, refused } from '../import.fixture.ts'
import { openKumaDatabase, writeKumaDatabase, writeOtherDatabase } from './database.fixture.ts'

describe('the database of Uptime Kuma', () => {
  it('gives groups, tags, maintenance, proxies and engines', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, {
      monitor: [
        { name: 'Europe', type: 'group' },
        { name: 'Paused', type: 'group', parent: 1, active: 0 },
        { name: 'Shop', type: 'http', url: 'http://shop.example/', parent: 1, proxy_id: 1 },
        { name: 'Worker', type: 'docker', docker_container: 'worker', docker_host: 1, parent: 2 },
      ],
      tag: [{ name: 'prod' }, { name: 'team' }],
      monitor_tag: [
        { monitor_id: 3, tag_id: 1, value: '' },
        { monitor_id: 3, tag_id: 2, value: 'payments' },
      ],
      proxy: [
        {
          protocol: 'http',
          host: 'proxy.example',
          port: 3128,
          auth: 1,
          username: 'u',
          password: 'hunter2',
          active: 1,
        },
      ],
      docker_host: [{ docker_daemon: '/var/run/docker.sock', docker_type: 'socket', name: 'here' }],
      notification: [
        {
          name: 'Mail',
          active: 1,
          config: JSON.stringify({
            type: 'smtp',
            smtpHost: 'mail.example',
            smtpPort: 587,
            smtpTo: 'Ops <ops@example.org>',
            smtpFrom: 'kuma@example.org',
          }),
        },
      ],
      monitor_notification: [{ monitor_id: 3, notification_id: 1 }],
      maintenance: [
        {
          title: 'Nightly',
          active: 1,
          strategy: 'recurring-weekday',
          cron: '30 2 * * 1,3',
          duration: 3600,
          timezone: 'SAME_AS_SERVER',
        },
        { title: 'By hand', active: 1, strategy: 'manual' },
        {
          title: 'Move',
          active: 1,
          strategy: 'single',
          start_date: '2126-07-01 10:00:00',
          end_date: '2126-07-01 12:00:00',
          timezone: 'Europe/Berlin',
        },
      ],
      monitor_maintenance: [1, 2, 3].map((maintenance_id) => ({ monitor_id: 3, maintenance_id })),
      setting: [{ key: 'serverTimezone', value: '"Asia/Tokyo"' }],
    })
    const { fleet, stderr, secrets } = await importedFrom('uptime-kuma', [file])
    expect(fleet.monitors).toEqual([
      expect.objectContaining({
        name: 'Shop',
        tags: ['prod'],
        labels: { group: 'Europe', team: 'payments' },
        check: expect.objectContaining({
          config: expect.objectContaining({ proxy: { credential: 'shop-proxy-url' } }),
        }),
        notify: { red: { endpoints: ['mail'] }, green: { endpoints: ['mail'] } },
        maintenance: [
          { cron: '30 2 * * 1,3', duration: '3600s', timezone: 'Asia/Tokyo' },
          { start: '2126-07-01T08:00:00Z', end: '2126-07-01T10:00:00Z' },
        ],
      }),
      expect.objectContaining({
        name: 'Worker',
        enabled: false,
        labels: { group: 'Europe / Paused' },
        check: expect.objectContaining({
          config: { container: 'worker', engine: 'unix:///var/run/docker.sock' },
        }),
      }),
    ])
    expect(fleet.endpoints?.['mail']).toMatchObject({ type: 'email', config: { to: ['ops@example.org'] } })
    expect(secrets).toBe('FLEET_SHOP_PROXY_URL=http://u:hunter2@proxy.example:3128\n')
    expect(stderr).toMatch(/"maintenance By hand": is not carried over: it is switched on and off by hand/)
    expect(stderr).toMatch(/"Europe", "Paused": is not carried over: it is a group/)
  })

  it('gives what a group has to the monitors in it, or says that it does not', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, {
      monitor: [
        { name: 'Europe', type: 'group' },
        { name: 'Shops', type: 'group', parent: 1 },
        { name: 'Shop', type: 'http', url: 'http://shop.example/', parent: 2 },
      ],
      notification: [
        {
          name: 'Ops',
          active: 1,
          config: '{"type":"gotify","gotifyserverurl":"http://g/","gotifyapplicationToken":"x"}',
        },
      ],
      monitor_notification: [{ monitor_id: 1, notification_id: 1 }],
      maintenance: [
        { title: 'Nightly', active: 1, strategy: 'cron', cron: '0 2 * * *', duration: 60, timezone: 'UTC' },
      ],
      monitor_maintenance: [{ monitor_id: 1, maintenance_id: 1 }],
      status_page: [{ slug: 'public', title: 'Our shops' }],
    })
    const { fleet, stderr } = await importedFrom('uptime-kuma', [file])
    expect(fleet.monitors[0]?.['maintenance']).toEqual([
      { cron: '0 2 * * *', duration: '60s', timezone: 'UTC' },
    ])
    expect(stderr).toContain('"Europe": notifications: are not carried over: the monitors of a group tell')
    expect(stderr).toContain('"status page Our shops": is not carried over: none of its monitors is')
    expect(fleet.status_pages).toBeUndefined()
  })

  it('gives status pages with their groups, as visitors see them', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, {
      monitor: [
        { name: 'Checkout', type: 'http', url: 'http://a.example/' },
        { name: 'Search', type: 'http', url: 'http://b.example/' },
        { name: 'Search', type: 'http', url: 'http://c.example/' },
        { name: 'Europe', type: 'group' },
      ],
      status_page: [
        { slug: 'shop', title: 'Our\nshop', published: 1, password: null },
        { slug: 'draft', title: 'Draft', published: 0, password: null },
        { slug: 'inside', title: 'Inside', published: 1, password: 'hunter2' },
        { slug: 'shop--2', title: 'Again', published: 1, password: '' },
      ],
      group: [
        { name: 'Second', status_page_id: 1, weight: 2 },
        { name: 'First', status_page_id: 1, weight: 1 },
        { name: 'Empty', status_page_id: 1, weight: 3 },
        { name: 'Again', status_page_id: 4, weight: 1 },
      ],
      monitor_group: [
        { group_id: 1, monitor_id: 2, weight: 2 },
        { group_id: 1, monitor_id: 3, weight: 1 },
        { group_id: 2, monitor_id: 1, weight: 1 },
        { group_id: 2, monitor_id: 4, weight: 2 },
        { group_id: 4, monitor_id: 1, weight: 1 },
      ],
      status_page_cname: [
        { status_page_id: 1, domain: 'Status.Shop.Example' },
        { status_page_id: 1, domain: 'other.shop.example' },
        { status_page_id: 4, domain: 'status.shop.example' },
        { status_page_id: 4, domain: '192.0.2.1' },
      ],
    })
    const { fleet, stdout, stderr } = await importedFrom('uptime-kuma', [file])
    expect(fleet.status_pages).toEqual({
      shop: {
        title: 'Our shop',
        host: 'status.shop.example',
        groups: [
          { name: 'First', components: [{ id: 'checkout', name: 'Checkout', monitors: ['checkout'] }] },
          {
            name: 'Second',
            components: [
              { id: 'search', name: 'Search', monitors: ['search-2'] },
              { id: 'search-2', name: 'Search', monitors: ['search'] },
            ],
          },
        ],
      },
      'shop-2': {
        title: 'Again',
        groups: [
          { name: 'Again', components: [{ id: 'checkout', name: 'Checkout', monitors: ['checkout'] }] },
        ],
      },
    })
    for (const note of [
      '"status page Draft": is not carried over: it is not published',
      '"status page Inside": password: keeps it from being carried over',
      'lacks "Europe", which is not a monitor here',
      'domain: "other.shop.example" is not carried over: a page has one host',
      'domain: "192.0.2.1" is not carried over',
    ])
      expect(stderr).toContain(note)
    expect(stdout + stderr).not.toContain('hunter2')
  })

  it('notes that the certificates for an engine of Docker stand elsewhere', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, {
      monitor: [{ name: 'Worker', type: 'docker', docker_container: 'worker', docker_host: 1 }],
      docker_host: [{ docker_daemon: 'https://docker.example:2376', docker_type: 'tcp', name: 'there' }],
    })
    const { stderr } = await importedFrom('uptime-kuma', [file])
    expect(stderr).toContain('"Worker": docker_host: is asked without a client certificate')
  })

  it.each(['delete', 'wal'] as const)('leaves nothing beside the file (journal mode %s)', async (journal) => {
    using folder = temporaryFolder()
    writeKumaDatabase(
      folder.path('kuma.db'),
      { monitor: [{ name: 'Shop', type: 'http', url: 'http://a/' }] },
      journal,
    )
    await importedFrom('uptime-kuma', [folder.path('kuma.db')])
    expect(readdirSync(folder.root)).toEqual(['kuma.db'])
  })

  it('is read with what stands in the log beside it', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, { monitor: [{ name: 'Before', type: 'http', url: 'http://a/' }] }, 'wal')
    using _running = openKumaDatabase(file, 'After')
    const { fleet } = await importedFrom('uptime-kuma', [file])
    expect(fleet.monitors.map(({ name }) => name)).toEqual(['After'])
  })

  it('is refused with a sentence when it is another database, or damaged', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, { monitor: [{ name: 'Shop', type: 'http', url: 'http://a/' }] })
    const whole = readFileSync(file)
    const damaged = Buffer.from(whole).fill(0xaa, 100)
    expect(await refused('uptime-kuma', { 'kuma.db': damaged })).toEqual([
      1,
      expect.stringContaining('kuma.db cannot be read as an SQLite database'),
    ])
    writeOtherDatabase(folder.path('other.db'), 'CREATE TABLE pets (name)')
    expect(await refused('uptime-kuma', { 'other.db': readFileSync(folder.path('other.db')) })).toEqual([
      1,
      expect.stringContaining(
        'not one of Uptime Kuma 1 or 2: its table of monitors lacks id, name, type, interval, active.',
      ),
    ])
  })

  it('is not led astray by a view in the place of a table', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeOtherDatabase(
      file,
      "CREATE VIEW monitor AS SELECT 1 AS id, 'Shop' AS name, 'ping' AS type, 60 AS interval, 1 AS active",
    )
    const [code, stderr] = await refused('uptime-kuma', { 'kuma.db': readFileSync(file) })
    expect([code, stderr]).toEqual([1, expect.stringContaining('its table of monitors lacks')])
  })

  it.each(['tag', 'maintenance'])('is not held up by a view without end in the place of %s', async (name) => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, {
      monitor: [{ name: 'Shop', type: 'http', url: 'http://a/' }],
      [`monitor_${name}`]: [{ monitor_id: 1, [`${name}_id`]: -1, value: '' }],
    })
    writeOtherDatabase(
      file,
      `CREATE VIEW ${name} AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'x' AS name FROM n`,
    )
    const { fleet } = await importedFrom('uptime-kuma', [file])
    expect(fleet.monitors).toHaveLength(1)
  })
})
