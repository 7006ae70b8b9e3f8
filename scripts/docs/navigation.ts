// scripts/docs/navigation.ts: the order of the site's pages, by task. A document that does not exist is skipped, and one
// of docs/ that no section names is listed under More, so pages can be added and removed without an edit here.
export interface Section {
  readonly title: string
  readonly documents: readonly string[]
}

const sections: readonly Section[] = [
  { title: 'Start', documents: ['docs/index.md', 'docs/first-ten-minutes.md', 'docs/moving-in.md'] },
  {
    title: 'Install',
    documents: ['docs/install.md', 'docs/container.md', 'docs/debian.md', 'docs/kubernetes.md'],
  },
  {
    title: 'Use',
    documents: [
      'docs/configuration.md',
      'docs/alerting.md',
      'docs/on-call.md',
      'docs/explaining.md',
      'docs/recovering.md',
      'docs/managing.md',
      'docs/commands.md',
      'docs/workers.md',
      'docs/push.md',
      'docs/probes.md',
      'docs/status-pages.md',
      'docs/api.md',
    ],
  },
  {
    title: 'Run',
    documents: [
      'docs/operating.md',
      'docs/reverse-proxy.md',
      'docs/scaling.md',
      'docs/postgresql.md',
      'docs/two-machines.md',
      'docs/upgrading.md',
      'docs/backing-up.md',
      'docs/troubleshooting.md',
    ],
  },
  {
    title: 'Reference',
    documents: [
      'docs/generated/fleet-file.md',
      'docs/generated/settings.md',
      'docs/generated/checks/index.md',
      'docs/generated/recoveries/index.md',
      'docs/generated/notifications/index.md',
      'docs/metrics.md',
      'docs/generated/v1-api.md',
      'docs/generated/v2-api.md',
      'packages/client/README.md',
      'packages/worker/README.md',
      'examples/workers/README.md',
      'docs/generated/messages/index.md',
    ],
  },
  {
    title: 'Project',
    documents: [
      'CHANGELOG.md',
      'SECURITY.md',
      'CONTRIBUTING.md',
      'ARCHITECTURE.md',
      'docs/decisions/index.md',
      'docs/performance.md',
      'docs/conformance.md',
      'docs/generated/boundaries.md',
    ],
  },
]

/** Sections with the documents that exist. */
export function navigation(documents: ReadonlySet<string>): readonly Section[] {
  const named = new Set(sections.flatMap((section) => section.documents))
  const others = [...documents].filter((one) => /^docs\/[^/]+\.md$/.test(one) && !named.has(one))
  return [...sections, { title: 'More', documents: others }]
    .map(({ title, documents: all }) => ({ title, documents: all.filter((one) => documents.has(one)) }))
    .filter((section) => section.documents.length > 0)
}
