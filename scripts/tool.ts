// scripts/tool.ts: `npm run tool -- NAME` runs a script that is seldom needed; without a name it lists them. Each reads its
// own command line, so NAME --help prints its flags.
import { refuse } from './command-line/command.ts'

interface Tool {
  readonly about: string
  /** Loads the script, which then runs. */
  load(): Promise<unknown>
}

const tools: Readonly<Record<string, Tool>> = {
  packages: {
    about: 'writes the npm packages into a folder, as they would be published',
    load: () => import('./pack.ts'),
  },
  debian: {
    about: 'writes the Debian package of this checkout into a folder',
    load: () => import('./debian.ts'),
  },
  sizes: {
    about: 'prints how large the packages and the container are',
    load: () => import('./sizes.ts'),
  },
  screenshots: {
    about: 'takes the pictures of docs/screenshots',
    load: () => import('./screenshots.ts'),
  },
  generators: {
    about: 'tests clients that other tools generate from the OpenAPI document',
    load: () => import('./test-generators.ts'),
  },
  'first-run': {
    about: 'gives the commands of the README in new clones, on every supported Node.js',
    load: () => import('./first-run.ts'),
  },
  'kubernetes-schemas': {
    about: 'downloads the schemas that the Helm chart is checked with',
    load: () => import('./vendor-kubernetes-schemas.ts'),
  },
}

const [name] = process.argv.splice(2, 1)
const tool = name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined
if (tool !== undefined) await tool.load()
else if (name === undefined || name === '--help' || name === '-h') process.stdout.write(overview())
else refuse(`There is no tool “${name}”. Run npm run tool to see them all.`)

function overview(): string {
  const lines = Object.entries(tools).map(([each, { about }]) => `  ${each.padEnd(18)}  ${about}`)
  return `Usage: npm run tool -- NAME [--flag value]…

${lines.join('\n')}

npm run tool -- NAME --help lists the flags of one.
`
}
