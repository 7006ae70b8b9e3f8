// check-scenarios/http.ts: the peers that the http check meets in its contract.
import { type CheckScenarios, fails, succeeds, timesOut } from '../check-contract/scenarios.ts'
import { checkFixture } from '../check-fixture.ts'
import { BlackHole } from '../targets/black-hole.ts'
import { certificates } from '../targets/certificates.ts'
import {
  answers,
  answersBy,
  type Behaviour,
  closesEarly,
  drips,
  HttpTarget,
  hangs,
  hangsAfterHead,
  resets,
  sends,
  sendsEndlessBody,
  sendsEndlessHeaders,
  type TlsSetup,
} from '../targets/http-target.ts'

const credentials = new Map([
  ['TOKEN', 'tok-6f1d0a9b3c5e7f'],
  ['PASSWORD', 'correct horse battery staple'],
  ['FORM', '{\n  "user": "ward",\n  "pin": "0451 9982 7734"\n}'],
])

const garbage = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167 + 13) & 0xff))
const reflects = answersBy((request) => ({ body: request }))
const reflectsBody = answersBy((request) => ({ body: request.slice(request.indexOf('\r\n\r\n') + 4) }))
const reflectsAuthorization = answersBy((request) => ({
  body: /^authorization: (.*)$/im.exec(request)?.[1] ?? '',
}))

export async function httpScenarios(): Promise<CheckScenarios> {
  await using owned = new AsyncDisposableStack()
  const targets: HttpTarget[] = []
  const target = async (behaviour: Behaviour, tls?: TlsSetup) => {
    const started = owned.use(await HttpTarget.start(tls === undefined ? {} : { tls }))
    started.behave(behaviour)
    targets.push(started)
    return started
  }
  const url = async (behaviour: Behaviour, path = '/') => (await target(behaviour)).url(path)
  const closed = await HttpTarget.start()
  await closed[Symbol.asyncDispose]()
  const hole = owned.use(await BlackHole.start())
  const secured = await target(answers(), { identity: certificates.good })
  const plain = await target(sends(['HTTP/1.1 400 Bad Request\r\n\r\n'], 'close', 'accept'))
  // Quoted in the reason, because it is none.
  const expect = { body: { json: [{ path: '$.ok', equals: true }] } }
  const peers = {
    healthy: succeeds({ url: await url(answers({ body: '{"ok":true}' })), expect }),
    'healthy and secured': succeeds({ url: secured.url(), tls: { ca: certificates.authority } }),
    refusing: fails({ url: closed.url() }),
    'black-holed': timesOut({ url: `http://${hole.host}:${hole.port}/` }),
    silent: timesOut({ url: await url(hangs()) }),
    'silent after its head': timesOut({ url: await url(hangsAfterHead()), expect }),
    garbage: fails({ url: await url(sends([garbage], 'close', 'accept')) }),
    endless: fails({ url: await url(sendsEndlessBody()), expect }),
    'endless in its head': fails({ url: await url(sendsEndlessHeaders()) }),
    dripping: timesOut({ url: await url(drips('HTTP/1.1 200 OK\r\nX-Slow: very', 20)) }),
    'half-closing': fails({ url: await url(closesEarly()) }),
    resetting: fails({ url: await url(resets()) }),
    'TLS-speaking': fails({ url: `http://127.0.0.1:${secured.port}/` }),
    'plain-speaking': fails({ url: `https://127.0.0.1:${plain.port}/` }),
    untrusted: fails({ url: secured.url() }),
    reflecting: fails({
      url: `${await url(reflects, '/path?token=hidden#hidden')}`.replace('//', '//ward:hidden@'),
      headers: { 'x-token': { credential: 'TOKEN' } },
      expect,
    }),
    'reflecting (bearer)': fails({
      url: await url(reflectsAuthorization),
      auth: { bearer: { credential: 'TOKEN' } },
      expect,
    }),
    'reflecting (basic)': fails({
      url: await url(reflectsAuthorization),
      auth: { basic: { username: 'ward', password: { credential: 'PASSWORD' } } },
      expect,
    }),
    'reflecting (body)': fails({
      url: await url(reflectsBody),
      body: { credential: 'FORM' },
      expect: { body: { json: [{ path: '$.pin', equals: 'another' }] } },
    }),
  }
  const fixture = owned.use(checkFixture())
  const opened = owned.move()
  return {
    network: fixture.network,
    credentials,
    peers,
    openConnections: () => targets.reduce((open, { openSockets }) => open + openSockets, 0),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
