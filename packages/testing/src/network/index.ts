// The door for tests that need a network of their own, as checks have one.
export { checkFixture, type FixtureOptions } from '../checks/check-fixture.ts'
