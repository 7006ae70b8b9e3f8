import { FakeClock, temporaryFolder } from '@pulseward/testing'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { FleetFileError, loadFleet } from '../config/fleet-file/load-fleet.ts'
import { SourceError } from '../config/fleet-file/source.ts'
import { FileWatch } from '../config/fleet-file/watch-files.ts'
import { type ArrangedBefore, arrange } from './arrangement.ts'
import { Fleet } from './fleet.ts'
import { type ReloadedFleet, reloadedFrom } from './load-arrangement.ts'
import { Reloader, ReloadRecord, type ReloadResult } from './reloader.ts'

const monitors = (...names: string[]) =>
  names.map((name) => `{"name":"${name}","check":{"type":"icmp","config":{"host":"a"}}}\n`).join('')

/** A fleet over a real file, and what was logged. */
async function reloadable(content: string) {
  const folder = temporaryFolder({ 'fleet.ndjson': content })
  const logged: { level: number; msg: string; [field: string]: unknown }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const fleet = new Fleet(['http', 'tcp', 'dns', 'icmp'])
  const clock = new FakeClock()
  const use = { isIdle: () => true, nowMs: 0 }
  const load = async (before: ArrangedBefore | null) => {
    const { definition, credentials, files } = await loadFleet({
      paths: [folder.root],
      drivers: driverShapes,
      allowEmpty: false,
      environment: {},
    })
    return { arrangement: arrange(definition, before), credentials, files }
  }
  fleet.apply((await load(null)).arrangement)
  const record = new ReloadRecord(clock)
  const reloader = new Reloader({
    load: async () => reloadedFrom(await load(fleet), fleet),
    apply: ({ next }) =>
      fleet.apply(next.kind === 'whole' ? next.arrangement : fleet.amend(next.change, use)),
    record,
    log,
  })
  const write = (content: string) => folder.write('fleet.ndjson', content)
  return {
    folder,
    fleet,
    clock,
    logged,
    record,
    reloader,
    write,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

const refused = (message: RegExp) => ({ applied: false, message: expect.stringMatching(message) })

describe('a reload', () => {
  it('takes changed files into force and reports what changed', async () => {
    using service = await reloadable(monitors('a', 'b', 'c'))
    service.write(monitors('b', 'd', 'e') + monitors('c').replace('"host":"a"', '"host":"b"'))
    expect(await service.reloader.reload()).toEqual({
      applied: true,
      report: { added: 2, removed: 1, changed: 1, unchanged: 1 },
    })
    expect(service.fleet.counts.total).toBe(4)
    expect(service.logged).toMatchObject([
      { msg: 'the fleet was reloaded', added: 2, removed: 1, changed: 1, unchanged: 1 },
    ])
  })

  it('is remembered with its time, with or without success; so is the first reading', async () => {
    using service = await reloadable(monitors('a'))
    const { record, reloader, clock } = service
    const startedAtMs = clock.wallMs()
    expect(record.last).toEqual({ successful: true, atMs: startedAtMs })
    clock.advance(5_000)
    service.write('{"nmae":"b"}\n')
    await reloader.reload()
    expect(record.last).toEqual({ successful: false, atMs: startedAtMs + 5_000 })
    clock.advance(5_000)
    service.write(monitors('b'))
    await reloader.reload()
    expect(record.last).toEqual({ successful: true, atMs: startedAtMs + 10_000 })
  })

  it('of an invalid file changes nothing and tells every mistake', async () => {
    using service = await reloadable(monitors('a', 'b'))
    const { definition, present } = service.fleet
    service.write(`${monitors('a', 'c')}{"nmae":"d"}\n`)
    expect(await service.reloader.reload()).toEqual({ applied: false, message: 'the fleet has 3 mistakes' })
    expect(service.fleet.definition).toBe(definition)
    expect(service.fleet.present).toBe(present)
    expect(service.logged.map(({ line, path }) => [line, path])).toEqual([
      [3, 'nmae'],
      [3, ''],
      [3, ''],
      [undefined, undefined],
    ])
    expect(service.logged.at(-1)!.msg).toBe(
      'the fleet was not reloaded and goes on as before: the fleet has 3 mistakes',
    )
  })

  it('of files that are gone, or of an empty fleet, changes nothing', async () => {
    using service = await reloadable(monitors('a'))
    service.write('')
    expect(await service.reloader.reload()).toMatchObject(refused(/^No monitors/))
    service.folder[Symbol.dispose]()
    expect(await service.reloader.reload()).toMatchObject(refused(/does not exist\.$/))
    expect(service.fleet.counts.total).toBe(1)
  })

  it('works again after one that failed', async () => {
    using service = await reloadable(monitors('a'))
    service.write('{}')
    await service.reloader.reload()
    service.write(monitors('a', 'b'))
    expect(await service.reloader.reload()).toMatchObject({ applied: true, report: { added: 1 } })
  })

  it('follows a file that changes', async () => {
    using service = await reloadable(monitors('a'))
    const { promise, resolve } = Promise.withResolvers<ReloadResult>()
    using watch = new FileWatch([service.folder.root], 20)
    watch.start(() => void service.reloader.reload().then(resolve))
    service.write(monitors('a', 'b'))
    expect(await promise).toMatchObject({ applied: true, report: { added: 1, unchanged: 1 } })
  })
})

describe('reloads that are asked for at once', () => {
  /** Loads that end when the test says so. */
  function controlled() {
    const loads: PromiseWithResolvers<ReloadedFleet>[] = []
    const applied: unknown[] = []
    const reloader = new Reloader({
      load: () => {
        loads.push(Promise.withResolvers())
        return loads.at(-1)!.promise
      },
      apply: (loaded) => void applied.push(loaded),
      record: new ReloadRecord(new FakeClock()),
      log: pino({ level: 'silent' }),
    })
    const loaded = { report: { added: 0, removed: 0, changed: 0, unchanged: 0 } } as ReloadedFleet
    return { loads, applied, reloader, loaded }
  }

  it('run one after the other, and those that wait share one', async () => {
    const { loads, applied, reloader, loaded } = controlled()
    const first = reloader.reload()
    const waiting = [reloader.reload(), reloader.reload(), reloader.reload()]
    expect(loads).toHaveLength(1)
    loads[0]!.resolve(loaded)
    await first
    expect(applied).toHaveLength(1)
    await expect.poll(() => loads.length).toBe(2)
    // Asked while the second runs: it may have read the files already, so a third must follow.
    const late = reloader.reload()
    loads[1]!.resolve(loaded)
    await Promise.all(waiting)
    await expect.poll(() => loads.length).toBe(3)
    loads[2]!.resolve(loaded)
    await late
    expect(loads).toHaveLength(3)
    expect(applied).toHaveLength(3)
  })

  it.each([
    ['a mistake', new FleetFileError([])],
    ['an unreadable file', new SourceError('gone')],
    ['something unforeseen', new Error('the loading thread ended')],
  ])('go on after %s, and the fleet is not touched', async (_, error) => {
    const { loads, applied, reloader, loaded } = controlled()
    const first = reloader.reload()
    const second = reloader.reload()
    loads[0]!.reject(error)
    expect(await first).toEqual({ applied: false, message: error.message })
    expect(applied).toEqual([])
    await expect.poll(() => loads.length).toBe(2)
    loads[1]!.resolve(loaded)
    expect(await second).toMatchObject({ applied: true })
  })
})
