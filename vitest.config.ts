import { defineConfig } from 'vitest/config'

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    `Tests need the bundled Node.js, this is ${process.version}: run them with \`npm test\` or \`npx vitest\`.`,
  )
}

export default defineConfig({
  test: {
    include: [
      ...['packages/*/{bin,src}/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
      'e2e/**/*.test.ts',
    ],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
