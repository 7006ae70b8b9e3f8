// api/on-call/serve-ack.ts: the address by which a person acknowledges a page. Its token is the credential. Only a POST
// acknowledges: scanners of mails and previews of chats, which follow links, change nothing. Unless the setting allows it
// without signing in, the address leads to the page of the incident, where people sign in.
import type { PageDesk } from '../../controls/page-desk.ts'
import { type AckLinks, ackPath } from '../../engine/ack-links.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PageFacts, PageReader } from '../../projection/page-facts.ts'
import type { Exchange } from '../exchange.ts'
import type { Router } from '../router.ts'
import { type SmallPage, sendSmallPage } from './small-page.ts'

export interface ServeAckOptions {
  readonly links: AckLinks
  readonly desk: PageDesk
  readonly reader: PageReader
  readonly clock: Clock
  /** Whether it works without signing in. */
  readonly isOpen: boolean
}

const bodyBytes = 4_096
const address = `${ackPath}{token}`

export function isAckPath(path: string): boolean {
  return path.startsWith(ackPath)
}

export function serveAck(router: Router, options: ServeAckOptions): void {
  router.add('GET', address, (exchange, { token = '' }) => {
    const answer = read(token, options)
    if ('found' in answer) sendSmallPage(exchange, 200, offered(answer.found))
    else send(exchange, answer)
  })
  router.add('POST', address, async (exchange, { token = '' }) => {
    // Read to its end, so that the connection can be used again; the form sends nothing of use.
    await exchange.readBody(bodyBytes)
    const answer = read(token, options)
    send(exchange, 'found' in answer ? await acknowledge(answer.found, options) : answer)
  })
}

/** A page that is open, and who asks about it. */
interface Found {
  readonly page: string
  readonly person: string
  readonly name: string
  readonly facts: PageFacts
}

type Answer = { readonly status: number; readonly page: SmallPage } | { readonly leadsTo: string }

function send(exchange: Exchange, answer: Answer): void {
  if ('page' in answer) return sendSmallPage(exchange, answer.status, answer.page)
  exchange.setHeader('location', answer.leadsTo)
  exchange.send(303)
}

/** What a token is for, or the answer to it if there is nothing to acknowledge. */
function read(
  token: string,
  { links, clock, reader, isOpen }: ServeAckOptions,
): { readonly found: Found } | Answer {
  const claim = links.read(token, clock.wallMs())
  if ('refused' in claim)
    return { status: claim.refused === 'expired' ? 410 : 404, page: refusals[claim.refused] }
  const facts = reader.factsOf(claim.page)
  if (!isOpen)
    return { leadsTo: facts === null ? '/alerts' : `/incidents/${encodeURIComponent(facts.incidentId)}` }
  if (facts === null) return { status: 200, page: over }
  const name = reader.personName(claim.person)
  if (name === null) return { status: 410, page: withoutPerson }
  if (facts.acknowledged !== null) return { status: 200, page: acknowledgedPage(facts) }
  return { found: { ...claim, name, facts } }
}

async function acknowledge({ page, person }: Found, { desk, reader }: ServeAckOptions): Promise<Answer> {
  if (!(await desk.acknowledge(page, person, 'by the link of a message')))
    return { status: 503, page: unstored }
  const after = reader.factsOf(page)
  return { status: 200, page: after === null ? over : acknowledgedPage(after) }
}

function offered({ name, facts: { headline, cause, monitors } }: Found): SmallPage {
  return { title: headline, paragraphs: [cause], items: monitors, button: `Acknowledge as ${name}` }
}

function acknowledgedPage({ headline, acknowledged }: PageFacts): SmallPage {
  const restartsAt = acknowledged?.restartsAt ?? null
  const again = restartsAt === null ? [] : [`If it is still open at ${restartsAt}, people are told again.`]
  return {
    title: acknowledged === null ? 'It was acknowledged' : `Acknowledged by ${acknowledged.by}`,
    paragraphs: [`${headline}.`, 'The policy tells no other person now.', ...again],
  }
}

const over: SmallPage = {
  title: 'It is over',
  paragraphs: [
    'The incidents of this message have ended, or were dismissed. There is nothing to acknowledge.',
  ],
}

const unstored: SmallPage = {
  title: 'It could not be stored',
  paragraphs: ['The service cannot store anything at this moment. Try again in a minute.'],
  button: 'Try again',
}

const withoutPerson: SmallPage = {
  title: 'This link is no longer valid',
  paragraphs: ['The person for whom it was made is not one of this service any more.'],
}

const refusals: Readonly<Record<'unknown' | 'other store' | 'expired', SmallPage>> = {
  unknown: {
    title: 'This link is not valid',
    paragraphs: [
      'It is not complete, or was changed. Open it from the message again, or open the page of the service.',
    ],
  },
  'other store': {
    title: 'This link is of another service',
    paragraphs: ['It was made by a service with other data, and cannot be used here.'],
  },
  expired: {
    title: 'This link is too old',
    paragraphs: ['A link works for 24 hours. Open the page of the service to acknowledge the incident.'],
  },
}
