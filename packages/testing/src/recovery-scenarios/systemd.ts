// recovery-scenarios/systemd.ts: the buses that the systemd recovery meets in its contract, all of them stand-ins.
import { checkFixture } from '../checks/check-fixture.ts'
import { expects, neverAnswers, type OutboundScenarios } from '../outbound-contract/scenarios.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ERROR_TEXT, SystemBus, type SystemBusOptions } from './system-bus.ts'

export async function systemdScenarios(): Promise<OutboundScenarios> {
  await using owned = new AsyncDisposableStack()
  const folder = owned.use(temporaryFolder())
  const fixture = owned.use(checkFixture())
  const buses: SystemBus[] = []
  const start = async (options: SystemBusOptions): Promise<string> => {
    const bus = owned.use(await SystemBus.start(folder.path(`bus-${buses.length}`), options))
    buses.push(bus)
    return bus.path
  }
  const bus = await start({
    units: {
      'web.service': 'job',
      'denied.service': { error: 'org.freedesktop.DBus.Error.AccessDenied' },
      'odd.service': { error: `no name\n${ERROR_TEXT}` },
      'lost.service': { error: 'org.freedesktop.DBus.Error.NoReply' },
      'silent.service': 'silent',
      'cutting.service': 'cut',
      'garbage.service': { bytes: 'HTTP/1.1 400 Bad Request\r\n\r\n' },
      'endless.service': { bytes: Buffer.alloc(1024 * 1024, 0x6c) },
    },
  })
  const at = (path: string, unit = 'web.service') => ({ unit, bus: path })
  const peers = {
    accepting: expects('accepted', at(bus)),
    rejecting: expects('rejected', at(bus, 'missing.service')),
    refusing: expects('rejected', at(folder.path('none'))),
    'denying the right': expects('rejected', at(bus, 'denied.service')),
    'with an odd error': expects('rejected', at(bus, 'odd.service')),
    'without a reply': expects('unknown', at(bus, 'lost.service')),
    silent: neverAnswers('unknown', at(bus, 'silent.service')),
    cutting: expects('unknown', at(bus, 'cutting.service')),
    garbage: expects('unknown', at(bus, 'garbage.service')),
    endless: expects('unknown', at(bus, 'endless.service')),
    tiresome: expects('accepted', at(await start({ units: { 'web.service': 'job' }, isTiresome: true }))),
    'silent at the door': neverAnswers('rejected', at(await start({ welcome: null }))),
    'closed to us': expects('rejected', at(await start({ welcome: 'REJECTED EXTERNAL\r\n' }))),
    'no bus at all': expects('rejected', at(await start({ welcome: 'x'.repeat(10_000) }))),
  }
  const opened = owned.move()
  return {
    network: fixture.network,
    credentials: new Map(),
    secrets: [ERROR_TEXT],
    peers,
    attempts: () => buses.reduce((sum, { acceptedSockets }) => sum + acceptedSockets, 0),
    openConnections: () => buses.reduce((sum, { openSockets }) => sum + openSockets, 0),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
