// scripts/generate/boundaries-doc.ts: the boundary rules as a page, so that one table serves people and the check.
import {
  impureWords,
  packageImports,
  pureBuiltins,
  reservedElsewhere,
  reservedModules,
  rooms,
  typesOnly,
} from '../check/boundary-rules.ts'
import { code, codes, madeFrom, table } from './markdown.ts'

export async function boundariesDoc(): Promise<Map<string, string>> {
  return new Map([['docs/generated/boundaries.md', page()]])
}

function page(): string {
  return `${madeFrom('scripts/check/boundary-rules.ts')}
# Boundaries

Who may import whom. \`npm run check\` refuses everything else; tests (\`*.test.ts\`) and test support
(\`*.fixture.ts\`, and the \`peers.ts\` of a driver) may import what they need. Only tests may import test support. No
file may import itself through others, tests included.

## Packages

${table(['Package', 'May import'], packageRows())}

Packages import each other by name, never by path.

## Rooms of the server

Every room may also import \`platform\`.

${table(['Room', 'May import', 'Reason'], roomRows())}

**Pure** rooms do no I/O and get time, ids and randomness passed in, and so does everything that they load: no
built-in module but ${codes(pureBuiltins)}, and nothing that matches ${codes(impureWords.map((word) => word.source))}.

In **driver** rooms, a driver (a folder) imports only the interface in \`driver.ts\` and \`driver/\`, its own folder
and \`platform\`.

Nothing outside \`editions/\` decides by the name of an edition; settings and command line read and check it.

## Modules of one room

${table(
  ['Module', 'Only imported by'],
  Object.entries(reservedModules).map(([name, room]) => [
    code(name),
    codes([room, ...(reservedElsewhere[name] ?? [])]),
  ]),
)}

## Modules for their types only

Every thread of the server would load them.

${table(
  ['Module', 'At run time'],
  Object.entries(typesOnly).map(([name, file]) => [code(name), code(file)]),
)}
`
}

function packageRows(): string[][] {
  return Object.entries(packageImports).map(([name, imports]) => [code(name), namesOf(imports)])
}

function roomRows(): string[][] {
  return Object.entries(rooms).map(([name, rule]) => {
    const kind = rule.pure ? ' (pure)' : rule.aroundDrivers ? ' (drivers)' : ''
    const imports = rule.imports === 'everything' ? 'everything' : namesOf(rule.imports)
    return [code(name) + kind, imports, rule.reason]
  })
}

function namesOf(imports: readonly string[]): string {
  return imports.length > 0 ? codes(imports) : 'nothing of ours'
}
