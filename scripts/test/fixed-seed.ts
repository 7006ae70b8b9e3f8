// scripts/test/fixed-seed.ts: in `npm test` properties try the same cases every time, so that the run judges the change and
// not the dice. `npm run test:long` and `npm run test:all` try others in each run, and print the seed of what fails.
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 })
