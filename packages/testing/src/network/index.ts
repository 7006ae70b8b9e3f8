// Entry point for tests that need a separate network, like the one that checks have.
export { checkFixture, type FixtureOptions } from '../checks/check-fixture.ts'
