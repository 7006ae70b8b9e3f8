// scripts/test/on-postgres.ts: makes tests of the service keep their state in the PostgreSQL that start-postgres.ts started,
// in place of memory and files. A store is closed with the test that opened it, for PostgreSQL has few connections.
import { closeTestStores, testStores } from '@pulseward/testing/store'
import { afterAll, afterEach, beforeEach, inject } from 'vitest'

process.env['PULSEWARD_TEST_POSTGRES'] = inject('postgres')

let before = 0
beforeEach(() => {
  before = testStores()
})
afterEach(() => closeTestStores(before))
afterAll(() => closeTestStores())
