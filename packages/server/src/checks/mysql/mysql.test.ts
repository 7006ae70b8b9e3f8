// What the contract does not ask of the mysql check: answers that are almost right.
import { harmedAnswers, harmedLogin } from '@pulseward/testing/checks'
import { mysql } from './mysql.ts'
import { mysqlStandIn } from './stand-in.fixture.ts'

harmedAnswers('mysql', mysql, mysqlStandIn({ password: harmedLogin.password }), (port) => ({
  host: '127.0.0.1',
  port,
  ...harmedLogin,
  query: 'SELECT 1',
  expect: { value: 1 },
}))
