// v2/wire/status-page.ts: what customers see of a fleet: components under names of their own, made from monitors.
import { type Static, Type } from 'typebox'
import { labelKeyPattern, ResourceStatus, resourceType } from './resource.ts'
import { flag, identifier, listing, listOf, oneOf, text, wireType } from './wire-type.ts'

/** The id of a page, a component or an incident: part of an address. */
export const statusIdPattern = '^[a-z0-9][a-z0-9-]{0,62}$'
/** A host name in lower case with at least one dot. */
export const statusHostPattern =
  '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$'
export const statusLinkPattern = '^(https?://|mailto:)[^\\s]+$'
/** A share of monitors, from 1% to 100%. */
export const downWhenPattern = '^(100|[1-9][0-9]?)%$'
/** No control characters. */
export const shownTextPattern = '^[^\\u0000-\\u001f\\u007f]+$'

/** Of the words that are the same on every page: those that need no words of their own. */
export const statusLanguages = ['en', 'de'] as const

/** A language tag, such as fr or pt-BR. */
export const statusLanguagePattern = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'

/** Who may read a page. */
export const statusAccess = ['public', 'token'] as const

/** The SHA-256 of a token in hexadecimal. */
export const tokenDigestPattern = '^[0-9a-f]{64}$'

export const logoTypes = ['image/png', 'image/svg+xml'] as const
export type LogoType = (typeof logoTypes)[number]

/** 64 KiB in base64. */
export const longestLogo = 87_384
export const longestWord = 256

export function shownText(description: string, maxLength = 128) {
  return Type.String({ minLength: 1, maxLength, pattern: shownTextPattern, description })
}

export const StatusComponent = wireType(
  'StatusComponent',
  'Something that customers know by a name. Needs monitorRefs, match or both.',
  {
    id: Type.String({
      pattern: statusIdPattern,
      description: 'Its name in addresses: lower-case letters, digits and -. No two of a page are alike.',
    }),
    name: shownText('What customers call it.'),
    description: Type.Optional(shownText('A sentence below the name.', 256)),
    monitorRefs: Type.Optional(
      listing(identifier('A monitor.'), 'The monitors that it is made from.', {
        minItems: 1,
        maxItems: 1000,
      }),
    ),
    match: Type.Optional(
      Type.Record(Type.String({ pattern: labelKeyPattern }), Type.String({ maxLength: 256 }), {
        additionalProperties: false,
        maxProperties: 64,
        description:
          'Labels that must all be equal; the key tag matches a tag. Adds every monitor that has them.',
      }),
    ),
    downWhen: Type.Optional(
      Type.String({
        pattern: downWhenPattern,
        description:
          'The share of monitors that are down from which the outage is partial; 50% unless given.',
      }),
    ),
    auto: Type.Optional(
      flag('Whether the page says by itself when it was down for five minutes, and when it works again.'),
    ),
  },
)

export const StatusLogo = wireType(
  'StatusLogo',
  'A picture beside the title: a PNG, or an SVG without scripts.',
  {
    type: oneOf(logoTypes, 'What kind of picture it is.'),
    data: Type.String({
      minLength: 4,
      maxLength: longestLogo,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'The file in base64, at most 64 KiB of it.',
    }),
  },
)

export const StatusGroup = wireType('StatusGroup', 'Components below one heading.', {
  name: shownText('The heading above its components.'),
  components: listing(StatusComponent, 'From top to bottom.', { minItems: 1, maxItems: 128 }),
})

export const StatusLink = wireType('StatusLink', 'A link at the end of a page.', {
  name: shownText('What is shown.', 64),
  url: Type.String({
    maxLength: 2048,
    pattern: statusLinkPattern,
    description: 'Where it leads: an http, https or mailto address.',
  }),
})

export const StatusPage = resourceType(
  'StatusPage',
  'A page for customers, at /status/ID and at its own host.',
  {
    spec: Type.Object(
      {
        title: shownText('The name of the page.'),
        host: Type.Optional(
          Type.String({
            maxLength: 253,
            pattern: statusHostPattern,
            description:
              'A host name in lower case that shows this page and nothing else, such as status.shop.example.',
          }),
        ),
        access: Type.Optional(
          oneOf(
            statusAccess,
            'Who may read it: everybody, or who has one of its tokens; public unless given.',
          ),
        ),
        tokenDigests: Type.Optional(
          listing(
            Type.String({
              pattern: tokenDigestPattern,
              description: 'The SHA-256 of a token, as pulseward status token prints it.',
            }),
            'The tokens that open it, if its access is token.',
            { minItems: 1, maxItems: 16 },
          ),
        ),
        timezone: Type.Optional(
          text('Of the times on the page: a time zone such as Europe/Berlin; UTC unless given.', {
            maxLength: 64,
          }),
        ),
        language: Type.Optional(
          Type.String({
            pattern: statusLanguagePattern,
            description:
              'Of the words that are the same on every page: en, de, or another one that comes with words; en unless given.',
          }),
        ),
        words: Type.Optional(
          Type.Record(
            Type.String({ pattern: '^[a-zA-Z0-9._]{1,64}$' }),
            Type.String({ maxLength: longestWord }),
            {
              additionalProperties: false,
              maxProperties: 128,
              description:
                'The words of the page in its language, in place of those that it would have, as pulseward status words prints them.',
            },
          ),
        ),
        groups: listing(StatusGroup, 'From top to bottom.', { minItems: 1, maxItems: 32 }),
        logo: Type.Optional(StatusLogo),
        links: Type.Optional(listing(StatusLink, 'Shown at the end of the page.', { maxItems: 16 })),
      },
      { additionalProperties: false, description: 'What the page shows.' },
    ),
    status: ResourceStatus,
  },
)
export const StatusPageList = listOf('StatusPageList', StatusPage)

export type StatusComponent = Static<typeof StatusComponent>
export type StatusLogo = Static<typeof StatusLogo>
export type StatusGroup = Static<typeof StatusGroup>
export type StatusPage = Static<typeof StatusPage>
export type StatusPageList = Static<typeof StatusPageList>
