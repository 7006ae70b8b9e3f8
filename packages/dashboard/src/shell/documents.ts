// shell/documents.ts: the documentation that the palette finds, by what people look for. It is on another host, so the page
// never loads it: a choice opens it in a new tab.
export interface PageDocument {
  readonly name: string
  /** Within docs/ of the repository; a test finds each. */
  readonly file: string
  /** Other words that people type for it. */
  readonly about: string
}

const home = 'https://github.com/pulseward/pulseward/blob/main/docs'

export function addressOf({ file }: Pick<PageDocument, 'file'>): string {
  return `${home}/${file}`
}

export const documents: readonly PageDocument[] = [
  { name: 'The first ten minutes', file: 'first-ten-minutes.md', about: 'start tutorial install' },
  { name: 'Configuration', file: 'configuration.md', about: 'fleet file yaml monitors checks' },
  { name: 'Alerting', file: 'alerting.md', about: 'notifications destinations routes cooldown digest' },
  { name: 'Recovering', file: 'recovering.md', about: 'recovery actions restart webhook' },
  { name: 'Managing', file: 'managing.md', about: 'apply export resources operator' },
  { name: 'Commands', file: 'commands.md', about: 'command line cli pulseward' },
  { name: 'Workers', file: 'workers.md', about: 'external jobs' },
  { name: 'The API', file: 'api.md', about: 'http v1 v2 client openapi' },
  { name: 'Operating', file: 'operating.md', about: 'run retention trends storage metrics tls' },
  { name: 'Scaling', file: 'scaling.md', about: 'large fleets performance' },
  { name: 'Reverse proxy', file: 'reverse-proxy.md', about: 'https nginx caddy' },
  { name: 'Backing up', file: 'backing-up.md', about: 'backup restore verify' },
  { name: 'Upgrading', file: 'upgrading.md', about: 'version release' },
  { name: 'Troubleshooting', file: 'troubleshooting.md', about: 'problem error help' },
  { name: 'Settings of the service', file: 'generated/settings.md', about: 'reference environment flags' },
  { name: 'Messages and error codes', file: 'generated/messages/index.md', about: 'problem error' },
]
