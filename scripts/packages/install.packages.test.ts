// The packages in an empty folder, as their users have them: `npx pulseward` on every supported Node.js, and the libraries
// imported from JavaScript.
import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describeUnless } from '@pulseward/testing'
import { HttpTarget } from '@pulseward/testing/targets'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nodeMajors } from '../first-run/node-versions.ts'
import { findNode, Installation, NodeHost, whyNoPackages } from './installation.ts'
import { readManifest } from './published-manifest.ts'

const { version } = readManifest(join(import.meta.dirname, '../..'))
const program = 'node_modules/pulseward/bin/pulseward.js'
/** From here on the service runs on the user's own Node.js. */
const oldestForService = 24

const importLibraries = `
import { createClient } from '@pulseward/client'
import { editions } from '@pulseward/contract'
import { openApi } from '@pulseward/contract/openapi'
import { sessionApi } from '@pulseward/contract/session/api'
import { v1Api } from '@pulseward/contract/v1/api'
import { v2Api } from '@pulseward/contract/v2/api'
import { examples } from '@pulseward/contract/v2/examples'
const info = { title: 'Pulseward', version: '1', description: 'All of it.' }
const { paths } = openApi({ info, edition: 'next', apis: [sessionApi, v1Api, v2Api], authentication: true })
const client = createClient({ baseUrl: 'http://127.0.0.1:1' })
console.log(editions.join(), Object.keys(paths).length > 50, Object.keys(examples).length > 20, typeof client.createMonitor)
`
const importWorker = `
import { check, createWorker, success } from '@pulseward/worker'
console.log(typeof createWorker, check({ parameterSchema: {} }, async () => success({})).kind)
`

/** A monitor with one window of maintenance, in the time of a zone. */
const kumaTables = `
CREATE TABLE monitor (id, name, type, hostname, interval, active);
INSERT INTO monitor VALUES (1, 'Shop', 'ping', 'shop.example', 60, 1);
CREATE TABLE maintenance (id, title, active, strategy, start_date, end_date, timezone);
INSERT INTO maintenance VALUES (1, 'Move', 1, 'single', '2126-07-01 10:00:00', '2126-07-01 12:00:00', 'Europe/Berlin');
CREATE TABLE monitor_maintenance (id, monitor_id, maintenance_id);
INSERT INTO monitor_maintenance VALUES (1, 1, 1);
`

async function read(url: string, path: string): Promise<string> {
  const answer = await fetch(new URL(path, url))
  expect(answer.status).toBe(200)
  return await answer.text()
}

const ready = /^Pulseward +(http:\S+)\n[\s\S]*^Stop /m

async function overviewOf(url: string): Promise<{ total: number; by_status: Record<string, number> }> {
  return JSON.parse(await read(url, '/api/v1/overview'))
}

describeUnless(whyNoPackages, 'the packages in an empty folder', () => {
  let installation: Installation
  beforeAll(() => {
    installation = Installation.install([
      '@pulseward/contract',
      '@pulseward/client',
      '@pulseward/worker',
      'pulseward',
    ])
    installation.write('libraries.js', importLibraries)
    installation.write('worker.js', importWorker)
    using database = new DatabaseSync(installation.path('kuma.db'))
    database.exec(kumaTables)
  })
  afterAll(() => installation[Symbol.dispose]())

  /** The words that serve a fleet with a monitor that is up and one that is down. */
  function serveFleet(target: HttpTarget): readonly string[] {
    const check = (type: string, config: object) => ({ type, interval: '1s', timeout: '900ms', config })
    const monitors = [
      { id: 'answers', name: 'Answers', check: check('http', { url: target.url('/') }) },
      { id: 'closed', name: 'Closed', check: check('tcp', { host: '127.0.0.1', port: 1 }) },
    ]
    const fleet = installation.write('fleet.json', JSON.stringify({ version: 1, monitors }))
    return ['serve', '--config', fleet, '--log-level', 'error']
  }

  describe.each(nodeMajors)('on Node.js %i', (major) => {
    let host: NodeHost
    let whyNot: string | null = null
    beforeAll(() => {
      const found = findNode(major)
      if (typeof found === 'string') whyNot = found
      else host = new NodeHost(found.node)
    })
    beforeEach(({ skip }) => {
      if (whyNot !== null) skip(whyNot)
    })
    afterAll(() => host?.[Symbol.dispose]())

    it('npx pulseward --version prints the version', async () => {
      expect(await host.run(['npx', 'pulseward', '--version'], installation.root)).toEqual({
        code: 0,
        output: `${version}\n`,
      })
    })

    it('npx pulseward demo serves its fleet and the page, and stops on SIGTERM', async () => {
      const demo = host.start(['npx', 'pulseward', 'demo', '--log-level', 'error'], installation.root)
      const url = await demo.untilItSays(ready)
      const data = await demo.untilItSays(/^Data +(\S+)$/m)
      expect((await overviewOf(url)).total).toBe(200)
      const page = await read(url, '/')
      expect(page).toContain('<title>Pulseward</title>')
      const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? '/no-script'
      expect((await read(url, script)).length).toBeGreaterThan(50_000)
      demo.signal('SIGTERM')
      // The output ends with its last writer, the service: npm itself is gone before.
      await demo.ended
      await expect(fetch(url)).rejects.toThrow()
      expect(existsSync(data)).toBe(false)
    })

    it('npx pulseward serve checks a fleet file, and stops on SIGTERM', async () => {
      await using target = await HttpTarget.start()
      const service = host.start(['npx', 'pulseward', ...serveFleet(target)], installation.root)
      const url = await service.untilItSays(ready)
      await expect.poll(async () => (await overviewOf(url)).by_status).toMatchObject({ up: 1, down: 1 })
      service.signal('SIGTERM')
      await service.ended
      await expect(fetch(url)).rejects.toThrow()
    })

    it('npx pulseward import reads a database of Uptime Kuma, with its windows', async () => {
      expect(
        await host.run(['npx', 'pulseward', 'import', 'uptime-kuma', 'kuma.db'], installation.root),
      ).toEqual({ code: 0, output: expect.stringContaining('2126-07-01T08:00:00Z') })
    })

    it('the command becomes the service, on a Node.js that can run it', async () => {
      await using target = await HttpTarget.start()
      const service = host.start(['node', program, ...serveFleet(target)], installation.root)
      const url = await service.untilItSays(ready)
      expect((await overviewOf(url)).total).toBe(2)
      if (process.platform === 'linux') {
        const ours = installation.path(`node_modules/node-linux-${process.arch}/bin/node`)
        const wanted = major >= oldestForService ? host.node : ours
        expect(readlinkSync(`/proc/${service.pid}/exe`)).toBe(realpathSync(wanted))
      }
      service.signal('SIGTERM')
      expect(await service.ended).toBe(0)
    })

    it('the libraries can be imported', async () => {
      expect(await host.run(['node', 'libraries.js'], installation.root)).toEqual({
        code: 0,
        output: 'main,candidate,next true true function\n',
      })
      if (major >= oldestForService)
        expect(await host.run(['node', 'worker.js'], installation.root)).toEqual({
          code: 0,
          output: 'function check\n',
        })
    })
  })

  const notLinux = process.platform === 'linux' ? null : 'only Linux has programs without libatomic'
  describeUnless(notLinux, 'on a Linux without libatomic', () => {
    it('npx pulseward starts, since the runtime needs none', async ({ skip }) => {
      const found = findNode(20)
      if (typeof found === 'string') return skip(found)
      using host = new NodeHost(found.node, { hasLibatomic: false })
      expect(await host.run(['npx', 'pulseward', '--version'], installation.root)).toEqual({
        code: 0,
        output: `${version}\n`,
      })
    })
  })
})
