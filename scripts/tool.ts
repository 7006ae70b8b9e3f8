// scripts/tool.ts: `npm run tool -- NAME` runs a script that is seldom needed; without a name it lists them.
// Each parses its own command line, so NAME --help prints its flags.
import { refuse } from './command-line/command.ts'
import { tools } from './tool/tools.ts'

const [name] = process.argv.splice(2, 1)
const tool = name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined
if (tool !== undefined) await tool.load()
else if (name === undefined || name === '--help' || name === '-h') process.stdout.write(overview())
else refuse(`There is no tool “${name}”. Run it with --help to see them all.`)

function overview(): string {
  const lines = Object.entries(tools).map(([each, { about }]) => `  ${each.padEnd(18)}  ${about}`)
  return `Usage: npm run tool -- NAME [--flag value]…

${lines.join('\n')}

npm run tool -- NAME --help lists the flags of one.
`
}
