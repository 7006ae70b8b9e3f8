// config/fleet-file/status-page-schema.ts: how a status page is written in a fleet file. Rules that a schema cannot express
// are in status-page-rules.ts.
import { v2 } from '@pulseward/contract'
import type { Static } from 'typebox'
import { closed, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { Reference, referenceTo } from './reference.ts'
import { badgeFigures } from './status-page.ts'

/** Part of an address. */
export const pageIdPattern = v2.statusIdPattern

const Shown = (description: string, maxLength = 128) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: v2.shownTextPattern,
    description: `${description}: at most ${maxLength} characters, no control characters.`,
  })

const Component = closed(
  {
    id: Type.String({
      pattern: pageIdPattern,
      description: 'Its name in addresses: lower-case letters, digits and -. No two of a page are alike.',
    }),
    name: Shown('What customers call it'),
    description: Type.Optional(Shown('A sentence below the name', 256)),
    monitors: Type.Optional(
      Type.Array(Reference, {
        minItems: 1,
        maxItems: 1000,
        description: 'Identities of the monitors that it is made from.',
      }),
    ),
    match: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 256 }), {
        description:
          'Labels that must all be equal; the key "tag" matches a tag. Adds every monitor that has them.',
      }),
    ),
    down_when: Type.Optional(
      Type.String({
        pattern: v2.downWhenPattern,
        default: '50%',
        description: 'The share of monitors that are down from which the outage is partial, such as 50%.',
      }),
    ),
    auto: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the page says by itself when it was down for five minutes, and when it works again.',
      }),
    ),
  },
  { description: 'Something that customers know by a name. Needs monitors, match or both.' },
)

const Group = closed(
  {
    name: Shown('The heading above its components'),
    components: Type.Array(Component, {
      minItems: 1,
      maxItems: 128,
      description: 'From top to bottom.',
    }),
  },
  { description: 'Components below one heading.' },
)

const Link = closed(
  {
    name: Shown('What is shown', 64),
    url: Type.String({
      maxLength: 2048,
      pattern: v2.statusLinkPattern,
      description: 'Where it leads: an http, https or mailto address.',
    }),
  },
  { description: 'A link at the end of the page.' },
)

const FilePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'A path, seen from the folder of this file.',
})

const Logo = closed(
  {
    file: Type.Optional(FilePath),
    type: Type.Optional(oneOf(v2.logoTypes, 'With data: what kind of picture it is.')),
    data: Type.Optional(
      Type.String({ maxLength: v2.longestLogo, description: 'In place of a file: its bytes in base64.' }),
    ),
  },
  { description: 'A picture beside the title: a PNG, or an SVG without scripts, of at most 64 KiB.' },
)

export const StatusPageSchema = closed(
  {
    title: Shown('The name of the page'),
    host: Type.Optional(
      Type.String({
        maxLength: 253,
        pattern: v2.statusHostPattern,
        description:
          'A host name in lower case that shows this page and nothing else, such as status.shop.example.',
      }),
    ),
    access: Type.Optional(
      oneOf(v2.statusAccess, 'Who may read it: everybody, or who has one of its tokens.', {
        default: 'public',
      }),
    ),
    token_digests: Type.Optional(
      Type.Array(
        Type.String({
          pattern: v2.tokenDigestPattern,
          description: 'The SHA-256 of a token, as `pulseward status token` prints it.',
        }),
        { minItems: 1, maxItems: 16, description: 'The tokens that open it, if its access is token.' },
      ),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'Of the times on the page: a time zone such as Europe/Berlin.',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: v2.statusLanguagePattern,
        default: 'en',
        description:
          'Of the words that are the same on every page: en, de, or another one that comes with words.',
      }),
    ),
    words: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 1024 }), {
        description:
          'The words of the page in its language: { file: PATH }, or the words themselves, as `pulseward status words` prints them.',
      }),
    ),
    logo: Type.Optional(Logo),
    groups: Type.Array(Group, { minItems: 1, maxItems: 32, description: 'From top to bottom.' }),
    links: Type.Optional(Type.Array(Link, { maxItems: 16, description: 'Shown at the end of the page.' })),
  },
  { description: 'A page for customers, at /status/NAME and at its own host.' },
)

/** Long enough that nobody guesses one. */
export const badgeKeyPattern = '^[A-Za-z0-9_-]{22,64}$'

export const BadgeSchema = closed(
  {
    component: Type.Optional(
      Type.String({
        pattern: v2.badgeComponentPattern,
        description: 'A component of a status page, as PAGE/COMPONENT.',
      }),
    ),
    monitor: Type.Optional(referenceTo('A monitor, in place of a component.')),
    shows: oneOf(badgeFigures, 'What it says.'),
    label: Type.Optional(Shown('Its left half; what it shows unless given', 32)),
  },
  { description: 'A small picture for other pages. Whoever has the key can see it.' },
)

export type BadgeDocument = Static<typeof BadgeSchema>
export type StatusPageDocument = Static<typeof StatusPageSchema>
export type ComponentDocument = Static<typeof Component>
