// scripts/generate/example-environment.ts: stand-ins for the environment variables that an example names. A comment says
// what one has to look like where its name does not: `{ env: OPS_HOOK } # such as https://hooks.example/TOKEN`.

const VARIABLE = /\benv: *(\w+) *\}(?: *# such as (.+))?/g

/** Without a comment a variable stands for itself, without its first word: SHOP_API_KEY is API_KEY. */
export function exampleEnvironment(example: string): Readonly<Record<string, string>> {
  const variables = [...example.matchAll(VARIABLE)]
  return Object.fromEntries(
    variables.map(([, name = '', value]) => [name, value ?? name.replace(/^[^_]+_/, '')]),
  )
}
