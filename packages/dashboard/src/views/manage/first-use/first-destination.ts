// views/manage/first-use/first-destination.ts: the first destination, made from one address, and the route that sends it
// everything. Where knowing an address is enough to post, it becomes a credential, which nobody can read again.
import type { JsonObject } from '../json.ts'

/** For a secret address, the option that takes it. */
interface DestinationKind {
  readonly type: string
  readonly name: string
  readonly secretAt?: string
  /** What its addresses look like. */
  readonly form?: RegExp
}

/** The last fits every address. */
export const destinationKinds: readonly DestinationKind[] = [
  { type: 'slack', name: 'Slack', secretAt: 'hook', form: /^hooks\.slack\.com$/ },
  { type: 'discord', name: 'Discord', secretAt: 'webhook_url', form: /(^|\.)discord(app)?\.com$/ },
  {
    type: 'teams',
    name: 'Microsoft Teams',
    secretAt: 'webhook_url',
    form: /\.(logic\.azure|webhook\.office|powerplatform)\.com$/,
  },
  { type: 'google_chat', name: 'Google Chat', secretAt: 'webhook_url', form: /^chat\.googleapis\.com$/ },
  { type: 'mattermost', name: 'Mattermost', secretAt: 'webhook_url' },
  { type: 'ntfy', name: 'ntfy', form: /^ntfy\.sh$/ },
  { type: 'webhook', name: 'Another program, as JSON', form: /./ },
]

/** The kind whose addresses look like this one. */
export function kindOf(address: URL): string {
  return destinationKinds.find(({ form }) => form?.test(address.hostname))?.type ?? 'webhook'
}

export interface FirstDestination {
  readonly id: string
  readonly credential: JsonObject | null
  readonly endpoint: JsonObject
  readonly route: JsonObject
}

export function firstDestination(type: string, address: URL): FirstDestination {
  const { secretAt, name } = destinationKinds.find((kind) => kind.type === type) ?? destinationKinds.at(-1)!
  const secret = `${type}-address`
  const reference = secretAt === undefined ? {} : { credentialRefs: { [secretAt]: secret } }
  return {
    id: type,
    credential:
      secretAt === undefined
        ? null
        : resource('Credential', secret, `The address of ${name}`, { value: address.href }),
    endpoint: resource('NotificationEndpoint', type, name, {
      type,
      config: secretAt === undefined ? openConfig(type, address) : {},
      ...reference,
    }),
    route: resource('Route', 'everything', 'Everything', {
      match: {},
      colors: ['red', 'green'],
      endpointRefs: [type],
    }),
  }
}

function openConfig(type: string, address: URL): JsonObject {
  if (type !== 'ntfy') return { url: address.href }
  return { api_url: address.origin, topic: address.pathname.slice(1) }
}

function resource(kind: string, id: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'pulseward/v2', kind, metadata: { id, name }, spec }
}
