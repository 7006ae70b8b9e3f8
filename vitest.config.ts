import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { postgresSuites } from './scripts/test/postgres-suites.ts'

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    `Tests need the bundled Node.js, this is ${process.version}: run them with \`npm test\` or \`npx vitest\`.`,
  )
}

const selected = process.env['PULSEWARD_TESTS']
/** `npm run test:servers`: tests of a real server only, and the suites that also run over PostgreSQL. */
const withServers = process.env['PULSEWARD_REQUIRE_SERVERS'] !== undefined

// Deadlines end what would never pass. None of them measures the machine: some are twenty times slower than others, and
// a test that takes six seconds alone took two minutes there.
const patienceMs = 600_000

export default defineConfig({
  test: {
    pool: 'forks',
    // Tests wait for disks, peers and timers half of their time: twice as many as there are cores keep these busy. Runs that CI
    // has beside others need fewer.
    maxWorkers: selected === 'quick' ? 2 * availableParallelism() : availableParallelism() + 1,
    runner: './scripts/test/measuring-runner.ts',
    setupFiles: [
      // Set by `npm test` and its like, which have just made the bundles. While files are edited, they would be old.
      ...(selected === undefined ? [] : ['./scripts/test/bundled-threads.ts']),
      ...(selected === 'quick' ? ['./scripts/test/fixed-seed.ts'] : []),
    ],
    // Files follow each other in the same processes: to load the sources once more for each would take half of all time.
    isolate: false,
    tags: [
      {
        name: 'long',
        description: 'Left out by `npm test`, run by `npm run test:long` and `npm run test:all`.',
      },
    ],
    // The sources run as they do in the service: Node.js strips the types, and nothing is transformed.
    experimental: { viteModuleRunner: false },
    expect: { poll: { timeout: patienceMs / 2 } },
    reporters: ['default', './scripts/test/slowest-files.ts', './scripts/test/closing-lines.ts'],
    projects: withServers
      ? [
          project({ include: ['**/*.servers.test.ts'] }),
          project({
            name: 'postgres',
            include: postgresSuites,
            setupFiles: './scripts/test/on-postgres.ts',
            globalSetup: ['scripts/test/bundle-service.ts', 'scripts/test/start-postgres.ts'],
          }),
        ]
      : [
          project({
            include: ['packages/*/{bin,src}/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          }),
          project({
            name: 'browser',
            include: ['e2e/**/*.test.ts'],
            globalSetup: ['scripts/test/bundle-service.ts', 'e2e/setup.ts'],
          }),
        ],
  },
})

function project(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  const common = {
    name: 'parts',
    globalSetup: 'scripts/test/bundle-service.ts',
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
  }
  return { extends: true, test: { ...common, ...test } }
}
