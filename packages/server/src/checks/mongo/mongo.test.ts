// What the contract does not ask of the mongo check: answers that are almost right.
import { harmedAnswers, harmedLogin } from '@pulseward/testing/checks'
import { mongo } from './mongo.ts'
import { mongoStandIn } from './stand-in.fixture.ts'

harmedAnswers('mongo', mongo, mongoStandIn(harmedLogin), (port) => ({
  host: '127.0.0.1',
  port,
  ...harmedLogin,
}))
