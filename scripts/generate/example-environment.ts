// scripts/generate/example-environment.ts: sample values for the environment variables that an example names. If the name
// does not show the form of its value, a comment does: `{ env: OPS_HOOK } # such as https://hooks.example/TOKEN`.

const VARIABLE = /\benv: *(\w+) *\}(?: *# such as (.+))?/g

/** Without a comment, the value is the variable's name without its first word: SHOP_API_KEY is API_KEY. */
export function exampleEnvironment(example: string): Readonly<Record<string, string>> {
  const variables = [...example.matchAll(VARIABLE)]
  return Object.fromEntries(
    variables.map(([, name = '', value]) => [name, value ?? name.replace(/^[^_]+_/, '')]),
  )
}
