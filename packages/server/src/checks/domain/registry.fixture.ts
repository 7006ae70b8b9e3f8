// checks/domain/registry.fixture.ts: what registries of several kinds answer about a domain, in the form that each of them
// uses: RFC 9083 leaves much open, and they differ in dates, spellings and in what they withhold.
import type { OrdinaryAnswer } from '@pulseward/testing/targets'

/** An instant beyond every test. */
const later = '2125-08-13T04:00:00Z'

function event(eventAction: string, eventDate: string) {
  return { eventAction, eventDate }
}

function rdap(object: object, status = 200): OrdinaryAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/rdap+json' },
    body: JSON.stringify({ rdapConformance: ['rdap_level_0'], ...object }),
  }
}

export function domainAnswer(name: string, object: object = {}): OrdinaryAnswer {
  return rdap({
    objectClassName: 'domain',
    ldhName: name,
    status: ['active'],
    events: [event('registration', '1995-08-14T04:00:00Z'), event('expiration', later)],
    ...object,
  })
}

export function errorAnswer(errorCode: number, title: string, status = errorCode): OrdinaryAnswer {
  return rdap({ errorCode, title, description: ['Look at the documentation.'], lang: 'en' }, status)
}

export function expiring(name: string, at: string): OrdinaryAnswer {
  return domainAnswer(name, { events: [event('expiration', at)] })
}

/** By the kind of registry: the name that is asked for, and the answer. */
export const forms = {
  'one for .com, in upper case, with a link to the registrar': [
    'shop.com',
    domainAnswer('SHOP.COM', {
      handle: '1_DOMAIN_COM-VRSN',
      links: [
        { rel: 'related', href: 'https://registrar.test/domain/SHOP.COM', type: 'application/rdap+json' },
      ],
      status: ['client delete prohibited', 'client transfer prohibited', 'client update prohibited'],
      events: [
        event('registration', '1995-08-14T04:00:00Z'),
        event('expiration', later),
        event('last update of RDAP database', '2026-01-02T03:04:05Z'),
      ],
    }),
  ],
  'one with the statuses of EPP and fractions of seconds': [
    'shop.org',
    domainAnswer('shop.org', {
      status: ['clientTransferProhibited', 'serverDeleteProhibited'],
      events: [event('Expiration', '2125-08-13T04:00:00.0Z')],
    }),
  ],
  'one with offsets from UTC and names beyond ASCII': [
    'xn--bcherei-90a.cz',
    domainAnswer('xn--bcherei-90a.cz', {
      unicodeName: 'bücherei.cz',
      status: ['server transfer prohibited'],
      events: [event('expiration', '2125-08-13T06:00:00+02:00')],
    }),
  ],
  'one with days alone and a final dot': [
    'shop.fi',
    domainAnswer('shop.fi.', {
      status: ['SERVER_TRANSFER_PROHIBITED'],
      events: [event('expiration', '2125-08-13')],
    }),
  ],
  'one without a zone, with one status that is no list': [
    'shop.kr',
    domainAnswer('shop.kr', { status: 'locked', events: [event('expiration', '2125-08-13 04:00:00')] }),
  ],
  'a registrar, with its own date': [
    'shop.info',
    domainAnswer('shop.info', {
      status: ['transfer prohibited'],
      events: [event('registrar expiration', later), event('last changed', '2026-01-02T03:04:05Z')],
    }),
  ],
} as const satisfies Readonly<Record<string, readonly [string, OrdinaryAnswer]>>

/** The same for registries that do not say when a domain expires. */
export const formsWithoutDate = {
  'one that publishes only the last change': [
    'shop.de',
    domainAnswer('shop.de', { events: [event('last changed', '2024-03-02T10:11:12+01:00')] }),
  ],
  'one that redacts the date and says so': [
    'shop.nl',
    domainAnswer('shop.nl', {
      events: [event('registration', '2001-02-03T04:05:06Z')],
      redacted: [
        {
          name: { description: 'Registry Domain Expiration Date' },
          method: 'removal',
          reason: { description: 'Policy' },
        },
      ],
    }),
  ],
  'one that writes a word in place of the date': [
    'shop.ch',
    domainAnswer('shop.ch', { events: [event('expiration', 'REDACTED FOR PRIVACY')] }),
  ],
  'one without events and statuses': [
    'shop.eu',
    domainAnswer('shop.eu', { events: undefined, status: undefined }),
  ],
} as const satisfies Readonly<Record<string, readonly [string, OrdinaryAnswer]>>
