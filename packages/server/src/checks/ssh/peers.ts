// checks/ssh/peers.ts: the peers that the ssh check meets in its contract.
import {
  type CheckScenarios,
  fails,
  givesNoData,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { hostFingerprint, type SshBehaviour, SshTarget, strangerKey, userKey } from './stand-in.fixture.ts'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'Nothing listens at the port.',
      sentence: 'connection refused by HOST:PORT',
    },
    {
      peer: 'half-closing',
      trouble: 'The server accepts the connection and ends it without a word.',
      sentence: 'HOST:PORT closed the connection before its greeting',
    },
  ],
  black_hole: [
    {
      peer: 'black-holed',
      trouble: 'A firewall drops every packet.',
      sentence: 'no connection to HOST:PORT within TIMEOUT',
    },
  ],
  wrong_credentials: [
    {
      peer: 'forbidding',
      trouble: 'The user or the password is wrong.',
      sentence: 'the login was refused by HOST:PORT',
    },
    {
      peer: 'forbidding the key',
      trouble: 'The server does not accept the key.',
      sentence: 'the login was refused by HOST:PORT',
    },
    {
      peer: 'with a key that cannot be read',
      trouble: 'The configured private key is not one.',
      sentence: 'the configured private_key or its passphrase cannot be read',
    },
  ],
  wrong_protocol: [
    {
      peer: 'mail-speaking',
      trouble: 'The server speaks another protocol.',
      sentence: 'HOST:PORT does not speak SSH: it says "220 mail.test ready"',
    },
    {
      peer: 'outdated',
      trouble: 'The server speaks only the old version of the protocol.',
      sentence: 'HOST:PORT speaks only SSH 1, which is not safe',
    },
    {
      peer: 'of other ciphers',
      trouble: 'The server offers no cipher that we speak.',
      sentence: 'HOST:PORT and we have no cipher in common',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server accepts the connection and says nothing.',
      sentence: 'no greeting from HOST:PORT within TIMEOUT',
    },
    {
      peer: 'silent after its greeting',
      trouble: 'The server greets and says no more.',
      sentence: 'no key exchange from HOST:PORT within TIMEOUT',
    },
    {
      peer: 'with a command without end',
      trouble: 'The command takes too long.',
      sentence: 'no end of the command from HOST:PORT within TIMEOUT',
    },
  ],
  certificate: [],
  unhealthy: [
    {
      peer: 'with a failing command',
      trouble: 'The command fails.',
      sentence: 'the command ended with exit code 3',
    },
    {
      peer: 'with another output',
      trouble: 'The command writes something else.',
      sentence: 'the command did not write "ready"',
    },
    {
      peer: 'without commands',
      trouble: 'The user may not run commands.',
      sentence: 'HOST:PORT does not run the command',
    },
    {
      peer: 'another server',
      trouble: 'The server names itself otherwise.',
      sentence: 'the greeting of HOST:PORT is without "OpenSSH": "SSH-2.0-dropbear_2022.83"',
    },
  ],
}

const password = 'correct horse battery staple'

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const server = async (behaviour: SshBehaviour = {}) =>
    world.keep(await SshTarget.start({ password, ...behaviour }))
  const greeting = (text: string) => world.tcp({ kind: 'banner', text })
  const login = { username: 'ward', password: { credential: 'PASSWORD' } }
  const byKey = (name: string) => ({ username: 'ward', private_key: { credential: name } })
  const writes = (text: string, code: number): SshBehaviour => ({
    onCommand(_, channel) {
      channel.write(text)
      channel.exit(code)
      channel.end()
    },
  })
  const commanding = { ...login, command: 'uptime', expect: 'ready' }
  const peers = {
    healthy: succeeds(await greeting('SSH-2.0-OpenSSH_9.2p1\r\n')),
    'healthy with its fingerprint': succeeds({ ...(await server()), fingerprint: hostFingerprint }),
    'healthy with a password': succeeds({ ...(await server()), ...login }),
    'healthy with a prompt': succeeds({ ...(await server({ prompts: true })), ...login }),
    'healthy with a key': succeeds({ ...(await server()), ...byKey('USER_KEY') }),
    'healthy with a command': succeeds({ ...(await server(writes('now ready\n', 0))), ...commanding }),
    refusing: fails(await world.closedPort()),
    'black-holed': timesOut(await world.blackHole()),
    silent: timesOut(await world.tcp({ kind: 'silent' })),
    'silent after its greeting': timesOut({ ...(await greeting('SSH-2.0-OpenSSH_9.2p1\r\n')), ...login }),
    dripping: timesOut(await world.tcp({ kind: 'drip', text: 'SSH-2.0-OpenSSH', everyMs: 20 })),
    garbage: fails(await world.tcp({ kind: 'garbage' })),
    'garbage after its greeting': fails({
      ...(await greeting(`SSH-2.0-OpenSSH_9.2p1\r\n${'garbage'.repeat(99)}`)),
      ...login,
    }),
    endless: fails(await world.tcp({ kind: 'endless' })),
    'endless in its command': fails({
      ...(await server({ onCommand: (_, channel) => pour(channel) })),
      ...commanding,
    }),
    resetting: fails(await world.tcp({ kind: 'reset' })),
    'half-closing': fails(await world.tcp({ kind: 'half-close' })),
    'mail-speaking': fails(await greeting('220 mail.test ready\r\n')),
    outdated: fails(await greeting('SSH-1.5-old\r\n')),
    'of other ciphers': fails({ ...(await server({ algorithms: { cipher: ['3des-cbc'] } })), ...login }),
    forbidding: fails({ ...(await server({ password: 'another' })), ...login }),
    'forbidding the key': fails({ ...(await server()), ...byKey('STRANGER_KEY') }),
    'with a key that cannot be read': givesNoData({ ...(await server()), ...byKey('PASSWORD') }),
    'with another fingerprint': fails({ ...(await server()), fingerprint: `SHA256:${'A'.repeat(43)}` }),
    'with a failing command': fails({ ...(await server(writes('ready', 3))), ...commanding }),
    'with another output': fails({ ...(await server(writes('not yet', 0))), ...commanding }),
    'with a command without end': {
      ...timesOut({ ...(await server({ onCommand: () => {} })), ...commanding }),
      timeoutMs: 600,
    },
    'without commands': fails({ ...(await server()), ...commanding }),
    'another server': fails({ ...(await greeting('SSH-2.0-dropbear_2022.83\r\n')), banner: 'OpenSSH' }),
    reflecting: fails({ ...(await server(writes(password, 0))), ...commanding }),
  }
  const credentials = new Map([
    ['PASSWORD', password],
    ['USER_KEY', userKey.private],
    ['STRANGER_KEY', strangerKey.private],
  ])
  return world.scenarios({ peers, troubles, credentials })
}

function pour(channel: NodeJS.WritableStream): void {
  const more = (error?: Error | null): void => {
    if (!error) channel.write('x'.repeat(16_384), more)
  }
  more()
}
