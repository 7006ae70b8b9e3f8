// scripts/test/fixed-seed.ts: in `npm test` properties try the same cases every time, so that a failure comes
// from the change and not from chance. `npm run test:long` and `npm run test:all` try new cases in each run,
// and print the seed of a failure.
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 })
