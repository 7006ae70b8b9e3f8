// What the contract does not ask of the postgres check: answers that are almost right.
import { harmedAnswers, harmedLogin } from '@pulseward/testing/checks'
import { postgres } from './postgres.ts'
import { postgresStandIn } from './stand-in.fixture.ts'

harmedAnswers('postgres', postgres, postgresStandIn({ password: harmedLogin.password }), (port) => ({
  host: '127.0.0.1',
  port,
  ...harmedLogin,
  query: 'SELECT 1',
  expect: { value: 1 },
}))
