// checks/domain/peers.ts: the peers that the domain check meets in its contract. They are on this machine, where every check
// asks: what spares the registries is in domain.test.ts.
import {
  type CheckScenarios,
  fails,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import {
  answers,
  type Behaviour,
  certificates,
  closesEarly,
  HttpTarget,
  hangs,
  hangsAfterHead,
  resets,
  sends,
  sendsEndlessBody,
  sendsEndlessHeaders,
  type TlsSetup,
} from '@pulseward/testing/targets'
import { domainAnswer, errorAnswer, expiring } from './registry.fixture.ts'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'Nothing listens at the port of the RDAP server.',
      sentence: 'connection refused by HOST:PORT',
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
      trouble: 'The registry does not answer questions of this machine.',
      sentence: 'HOST:PORT answers with status 403: "Forbidden"',
    },
  ],
  wrong_protocol: [
    {
      peer: 'an ordinary web server',
      trouble: 'The server is not one for RDAP.',
      sentence: 'HOST:PORT does not answer in RDAP',
    },
    {
      peer: 'SSH-speaking',
      trouble: 'The server speaks another protocol.',
      sentence: 'HOST:PORT does not speak HTTP',
    },
    {
      peer: 'answering about another',
      trouble: 'The answer is about another domain.',
      sentence: 'HOST:PORT answers about another domain',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server accepts the connection and says nothing.',
      sentence: 'no answer from HOST:PORT within TIMEOUT',
    },
  ],
  certificate: [
    {
      peer: 'self-signed',
      trouble: 'The certificate of the RDAP server is signed by itself.',
      sentence: 'the certificate is not signed by a trusted authority (self-signed)',
    },
  ],
  unhealthy: [
    {
      peer: 'without the domain',
      trouble: 'There is no such domain, or it is a name below one.',
      sentence: 'HOST:PORT knows no domain shop.test',
    },
    {
      peer: 'with an expired registration',
      trouble: 'The registration has expired.',
      sentence: 'the registration of shop.test expired on 2026-01-02',
    },
    {
      peer: 'with a critical registration',
      trouble: 'The registration expires within critical_days.',
      sentence: 'the registration of shop.test expires on 2125-12-31, in less than 36500 days',
    },
    {
      peer: 'healthy with a warning',
      trouble: 'The registration expires within warn_days (a warning).',
      sentence: 'the registration of shop.test expires on 2125-12-31, in less than 36500 days',
    },
    {
      peer: 'healthy without a date',
      trouble: 'The registry does not publish when a registration expires (a warning).',
      sentence: 'the registry does not say when shop.test expires',
    },
    {
      peer: 'in redemption',
      trouble: 'The domain was not renewed and is about to be deleted.',
      sentence: 'shop.test is being deleted (status "redemption period"): its registrar may still restore it',
    },
    {
      peer: 'on hold',
      trouble: 'The registrar or the registry took the domain out of DNS.',
      sentence: 'shop.test is on hold and not in DNS (status "clientHold")',
    },
    {
      peer: 'without a lock',
      trouble: 'A lock is expected (registrar_lock), and there is none.',
      sentence: 'shop.test is not locked against transfers to another registrar',
    },
    {
      peer: 'failing',
      trouble: 'The registry has a trouble of its own.',
      sentence: 'HOST:PORT answers with status 500: "Try again"',
    },
    {
      peer: 'too talkative',
      trouble: 'The answer is too long to be read.',
      sentence: 'the answer of HOST:PORT is longer than 256 KiB',
    },
  ],
}

const name = 'shop.test'
const soon = expiring(name, '2125-12-31T00:00:00Z')

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const at = async (behaviour: Behaviour, tls?: TlsSetup) => {
    const target = await HttpTarget.start(tls === undefined ? {} : { tls })
    target.behave(behaviour)
    world.keep(target)
    return { name, server: target.url('/rdap/') }
  }
  const by = ({ host, port }: { host: string; port: number }) => ({ name, server: `http://${host}:${port}/` })
  const good = await at(answers(domainAnswer(name)))
  const moved = await at(answers({ status: 302, headers: { Location: `${good.server}domain/${name}` } }))
  const peers = {
    healthy: succeeds(good),
    'healthy after a redirect': succeeds(moved),
    'healthy with a warning': succeeds({ ...(await at(answers(soon))), warn_days: 36_500 }),
    'healthy without a date': succeeds(await at(answers(domainAnswer(name, { events: [] })))),
    'healthy without a date and a wish for one': succeeds({
      ...(await at(answers(domainAnswer(name, { events: [] })))),
      warn_days: 0,
    }),
    refusing: fails(by(await world.closedPort())),
    'black-holed': timesOut(by(await world.blackHole())),
    silent: timesOut(await at(hangs())),
    'silent after its head': timesOut(await at(hangsAfterHead())),
    resetting: fails(await at(resets())),
    closing: fails(await at(closesEarly())),
    garbage: fails(by(await world.tcp({ kind: 'garbage' }))),
    'SSH-speaking': fails(await at(sends(['SSH-2.0-OpenSSH_9.2p1\r\n'], 'hold'))),
    endless: fails(by(await world.tcp({ kind: 'endless' }))),
    'endless in its head': fails(await at(sendsEndlessHeaders())),
    'too talkative': fails(await at(sendsEndlessBody())),
    'an ordinary web server': fails(await at(answers({ body: '<h1>Welcome</h1>' }))),
    'answering about another': fails(await at(answers(domainAnswer('other.test')))),
    'self-signed': fails(await at(answers(domainAnswer(name)), { identity: certificates.selfSigned })),
    'without the domain': fails(await at(answers(errorAnswer(404, 'Not Found')))),
    'with an expired registration': fails(await at(answers(expiring(name, '2026-01-02T00:00:00Z')))),
    'with a critical registration': fails({ ...(await at(answers(soon))), critical_days: 36_500 }),
    'in redemption': fails(await at(answers(domainAnswer(name, { status: ['redemption period'] })))),
    'on hold': fails(await at(answers(domainAnswer(name, { status: ['clientHold'] })))),
    'without a lock': fails({ ...good, registrar_lock: true }),
    forbidding: fails(await at(answers(errorAnswer(403, 'Forbidden')))),
    failing: fails(await at(answers(errorAnswer(500, 'Try again')))),
    'an error with status 200': fails(await at(answers(errorAnswer(500, 'Try again', 200)))),
    'redirecting in a circle': fails(
      await at(answers({ status: 302, headers: { Location: `/domain/${name}` } })),
    ),
    'redirecting to nowhere': fails(await at(answers({ status: 302, headers: { Location: 'ftp://[' } }))),
  }
  return world.scenarios({ peers, troubles })
}
