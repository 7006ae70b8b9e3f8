// scripts/test/postgres-suites.ts: the suites that `npm run test:servers` runs a second time, over PostgreSQL: what v1, v2,
// operations of many items and workers promise must not depend on the store. A suite is listed if it reaches the store
// through the service, and shows something that the contract of stores does not.
export const postgresSuites = [
  // v1, v2, access and workers.
  ...[
    'v1-answers',
    'next-v1-answers',
    'v2-answers',
    'v2-requests',
    'v2-roles',
    'next-access',
    'next-audience',
    'next-controls-kill',
    'next-credentials',
    'next-events',
    'next-external-workers',
    'next-restart',
    'next-session',
    'next-workers',
  ].map((suite) => `packages/server/src/editions/${suite}.test.ts`),
  'packages/worker/src/real-service.test.ts',
  'packages/server/src/controls/*.test.ts',
  'packages/server/src/api/v2/routes/*.test.ts',
  'packages/server/src/api/push/serve-push.test.ts',
  // Operations of many items.
  ...[
    'asked-of-many',
    'control',
    'job-types',
    'later-users',
    'lost-staging',
    'operation-list',
    'operations',
    'restarts',
  ].map((suite) => `packages/server/src/bulk/${suite}.test.ts`),
]
