// conformance/requirement.ts: a promise of the interface, and the tests that prove it. A test is named by its
// file and its title as written there.

export interface NamedTest {
  readonly file: string
  readonly title: string
}

export interface Requirement {
  readonly says: string
  readonly tests: readonly NamedTest[]
}

export interface Section {
  readonly title: string
  readonly requirements: readonly Requirement[]
}

/** A requirement with its tests, written `file: title`. */
export function held(says: string, ...tests: string[]): Requirement {
  return { says, tests: tests.map(named) }
}

const places: Readonly<Record<string, string>> = {
  api: 'packages/server/src/api',
  server: 'packages/server/src',
  contract: 'packages/contract/src',
  cli: 'packages/cli/src',
  client: 'packages/client/src',
  page: 'e2e',
}

function named(text: string): NamedTest {
  const colon = text.indexOf(': ')
  const [place = '', ...rest] = text.slice(0, colon).split('/')
  return { file: `${places[place]}/${rest.join('/')}.test.ts`, title: text.slice(colon + 2) }
}
