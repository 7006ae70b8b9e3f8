// scripts/tool/tools.ts: the scripts that are seldom needed, by their name in `npm run tool`.
interface Tool {
  readonly about: string
  /** Loads the script, which then runs. */
  load(): Promise<unknown>
}

export const tools: Readonly<Record<string, Tool>> = {
  packages: {
    about: 'writes the npm packages into a folder, as they would be published',
    load: () => import('../pack.ts'),
  },
  debian: {
    about: 'writes the Debian package of this checkout into a folder',
    load: () => import('../debian.ts'),
  },
  sizes: {
    about: 'prints how large the packages and the container are',
    load: () => import('../sizes.ts'),
  },
  'rdap-servers': {
    about: 'writes the list of RDAP servers of the check domain anew, as IANA publishes it',
    load: () => import('../vendor-rdap-servers.ts'),
  },
  'cron-day': {
    about: 'accounts for every run of a thousand cron jobs on days with clock changes',
    load: () => import('../cron-day.ts'),
  },
  'shared-store': {
    about: 'lives through days of several processes on one simulated PostgreSQL',
    load: () => import('../shared-store.ts'),
  },
  screenshots: {
    about: 'takes the pictures of docs/screenshots',
    load: () => import('../screenshots.ts'),
  },
  generators: {
    about: 'tests clients that other tools generate from the OpenAPI document',
    load: () => import('../test-generators.ts'),
  },
  'first-run': {
    about: 'gives the commands of the README in new clones, on every supported Node.js',
    load: () => import('../first-run.ts'),
  },
  'kubernetes-schemas': {
    about: 'downloads the schemas that the Helm chart is checked with',
    load: () => import('../vendor-kubernetes-schemas.ts'),
  },
}
