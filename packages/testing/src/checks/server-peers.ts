// checks/server-peers.ts: the peers that every check of a server with a login meets, and what it says about them.
// Databases, brokers and caches differ in their protocol, not in how they fail. A driver adds its own peers.

import { certificates, type Identity } from '../targets/certificates.ts'
import { ProtocolTarget, type Serve } from '../targets/protocol-target.ts'
import type { ScenarioWorld } from './scenario-world.ts'
import { type Encounter, fails, succeeds, timesOut } from './scenarios.ts'
import type { Trouble, Troubles } from './troubles.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export const password = 'correct horse battery staple'
export const credentials = new Map([
  ['PASSWORD', password],
  ['WRONG', 'incorrect donkey battery staple'],
])
export const login = { user: 'ward', password: { credential: 'PASSWORD' } }
const wrongLogin = { user: 'ward', password: { credential: 'WRONG' } }

export interface ServerKit {
  /** A configuration for the address, with or without TLS. */
  at(address: Address, isSecure: boolean): object
  /** Accepts every client. */
  readonly open: Serve
  /** Accepts only the user of the login. */
  readonly locked: Serve
  /** Offers TLS within the protocol. Without it, the server speaks TLS from its first byte. */
  readonly offeringTls?: (identity: Identity) => Serve
  /** Fields that every configuration of this check needs. */
  readonly always?: object
}

export type CommonPeers = Readonly<
  Record<'healthy' | 'refusing' | 'silent' | 'garbage' | 'endless', Encounter> & Record<string, Encounter>
>

export async function serverPeers(world: ScenarioWorld, kit: ServerKit): Promise<CommonPeers> {
  const served = async (serve: Serve) => kit.at(world.keep(await ProtocolTarget.start(serve)), false)
  const secured = async (identity: Identity) => {
    const { offeringTls } = kit
    const target =
      offeringTls === undefined
        ? await ProtocolTarget.start(kit.open, identity)
        : await ProtocolTarget.start(offeringTls(identity))
    return { ...kit.at(world.keep(target), true), ...kit.always, tls: { ca: certificates.authority } }
  }
  const tcp = async (kind: 'silent' | 'garbage' | 'endless' | 'reset' | 'half-close') => ({
    ...kit.at(await world.tcp({ kind }), false),
    ...kit.always,
  })
  const locked = await served(kit.locked)
  const plainSpeaking = kit.offeringTls === undefined ? await world.tcp({ kind: 'garbage' }) : null
  const good = await secured(certificates.good)
  return {
    healthy: succeeds({ ...(await served(kit.open)), ...kit.always }),
    'healthy with a login': succeeds({ ...locked, ...login }),
    'healthy and secured': succeeds(good),
    refusing: fails({ ...kit.at(await world.closedPort(), false), ...kit.always }),
    'black-holed': timesOut({ ...kit.at(await world.blackHole(), false), ...kit.always }),
    silent: timesOut(await tcp('silent')),
    garbage: fails(await tcp('garbage')),
    endless: fails(await tcp('endless')),
    resetting: fails(await tcp('reset')),
    'half-closing': fails(await tcp('half-close')),
    forbidding: fails({ ...locked, ...wrongLogin }),
    'plain-speaking': fails({
      ...(plainSpeaking === null ? await served(kit.open) : kit.at(plainSpeaking, true)),
      ...kit.always,
      tls: {},
    }),
    untrusted: fails({ ...good, tls: {} }),
    expired: fails(await secured(certificates.expired)),
    misnamed: fails(await secured(certificates.other)),
    'self-signed': fails(await secured(certificates.selfSigned)),
  }
}

export interface ServerWords {
  /** The usual name of the protocol. */
  readonly protocol: string
  /** What the check waits for first, such as "greeting". */
  readonly awaited: string
  /** What the check says if it wants TLS and the server has none. */
  readonly withoutTls?: string
  readonly credentials?: readonly Trouble[]
  readonly unhealthy?: readonly Trouble[]
}

export function serverTroubles(words: ServerWords): Troubles {
  const { protocol, awaited, withoutTls = 'the server did not speak TLS' } = words
  return {
    refused: [
      {
        peer: 'refusing',
        trouble: 'Nothing listens at the port.',
        sentence: 'connection refused by HOST:PORT',
      },
      {
        peer: 'half-closing',
        trouble: 'The server accepts the connection and ends it.',
        sentence: `HOST:PORT closed the connection before its ${awaited}`,
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
      ...(words.credentials ?? []),
    ],
    wrong_protocol: [
      {
        peer: 'garbage',
        trouble: 'Something else listens at the port.',
        sentence: `HOST:PORT does not speak ${protocol}`,
      },
      { peer: 'plain-speaking', trouble: 'TLS is wanted, and the server has none.', sentence: withoutTls },
    ],
    slow: [
      {
        peer: 'silent',
        trouble: 'The server accepts the connection and does not answer.',
        sentence: `no ${awaited} from HOST:PORT within TIMEOUT`,
      },
    ],
    certificate: [
      {
        peer: 'expired',
        trouble: 'The certificate has expired.',
        sentence: 'the certificate expired on 2026-01-02',
      },
      {
        peer: 'misnamed',
        trouble: 'The certificate is for another name.',
        sentence: 'the certificate is for other.test, not HOST',
      },
      {
        peer: 'self-signed',
        trouble: 'The certificate is signed by itself.',
        sentence: 'the certificate is not signed by a trusted authority (self-signed)',
      },
    ],
    unhealthy: words.unhealthy ?? [],
  }
}
