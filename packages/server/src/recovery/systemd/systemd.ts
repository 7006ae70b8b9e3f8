// recovery/systemd/systemd.ts: restarts a unit by asking systemd over D-Bus instead of running systemctl: no
// program is started (so recovery.allow_command is not needed), a refusal has a name instead of an exit code,
// and a lost call can be told from a refused one. This process needs the right to manage units: root, or a
// polkit rule. An acceptance means that systemd has queued the restart; the checks show whether it helped.
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import { NotSent } from '../../platform/network/outbound-connect.ts'
import { closed } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { defineRecovery } from '../driver.ts'
import { BusConnection, type BusReply } from './bus-connection.ts'

const DEFAULT_BUS = '/run/dbus/system_bus_socket'
const UNIT_TYPES = 'service|socket|timer|path|mount|automount|swap|target|slice'

export const systemd = defineRecovery({
  summary: 'Restarts a systemd unit of this machine over D-Bus.',
  config: closed({
    unit: Type.String({
      maxLength: 255,
      pattern: `^(?!.*@\\.)[A-Za-z0-9:_.@\\\\-]+\\.(${UNIT_TYPES})$`,
      description:
        'The whole name of the unit with its type, such as nginx.service or worker@3.service; no patterns.',
    }),
    bus: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^/[^\\s]+$',
        default: DEFAULT_BUS,
        description: 'The socket of the system bus.',
      }),
    ),
  }),
  actsHere: () => true,
  target: ({ unit }) => unit,
  targetKey: ({ unit, bus = DEFAULT_BUS }) => `${bus} ${unit}`,
  async recover({ unit, bus = DEFAULT_BUS }, _intervention, run) {
    const userId = process.getuid?.()
    if (userId === undefined) return rejected('there is no systemd on this system')
    const socket = await run.connectLocal(bus)
    if (socket instanceof NotSent) return rejected(socket.reason)
    using connection = new BusConnection(socket, bus, run)
    const refusal = await connection.enter(userId)
    if (refusal !== null) return rejected(refusal)
    // "replace": a job that is already queued for the unit is replaced.
    return classifyResponse(await connection.call(restartUnit, [unit, 'replace']), unit)
  },
})

const restartUnit = {
  destination: 'org.freedesktop.systemd1',
  path: '/org/freedesktop/systemd1',
  interface: 'org.freedesktop.systemd1.Manager',
  member: 'RestartUnit',
}

/** Errors that the bus reports if systemd received the call but went away before it answered. */
const LOST = new Set([
  'org.freedesktop.DBus.Error.NoReply',
  'org.freedesktop.DBus.Error.Timeout',
  'org.freedesktop.DBus.Error.TimedOut',
  'org.freedesktop.DBus.Error.Disconnected',
])

const SENTENCES: Readonly<Record<string, string>> = {
  'org.freedesktop.systemd1.NoSuchUnit': 'does not exist',
  'org.freedesktop.systemd1.LoadFailed': 'cannot be loaded',
  'org.freedesktop.systemd1.UnitMasked': 'is masked',
  'org.freedesktop.systemd1.OnlyByDependency': 'may not be restarted by hand',
  'org.freedesktop.systemd1.JobTypeNotApplicable': 'cannot be restarted',
  'org.freedesktop.DBus.Error.AccessDenied':
    'may not be restarted by this process: it needs root or a polkit rule',
  'org.freedesktop.DBus.Error.InteractiveAuthorizationRequired':
    'may not be restarted by this process: it needs root or a polkit rule',
}

function classifyResponse(reply: BusReply, unit: string): ActionOutcome {
  if (reply.kind === 'returned') return accepted()
  if (reply.kind === 'lost') return unknown(reply.reason)
  if (LOST.has(reply.name)) return unknown(`systemd did not answer for ${unit} (${shown(reply.name)})`)
  if (reply.name === 'org.freedesktop.DBus.Error.ServiceUnknown')
    return rejected('systemd is not on the bus of this machine')
  return rejected(`${unit} ${SENTENCES[reply.name] ?? `was not restarted (${shown(reply.name)})`}`)
}

/** The last part of the error's name. */
function shown(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
