// testing/check-fixture.ts: the old place of the fixture, for tests of other rooms that name it by its path.
export * from './checks/check-fixture.ts'
