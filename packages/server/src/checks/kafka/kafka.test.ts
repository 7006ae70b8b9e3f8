// What the contract does not ask of the kafka check: answers that are almost right.
import { harmedAnswers, harmedLogin } from '@pulseward/testing/checks'
import { kafka } from './kafka.ts'
import { kafkaStandIn } from './stand-in.fixture.ts'

const topics = { orders: [{ leader: 0, inSync: [0, 1] }] }
const serve = kafkaStandIn({ topics, login: { mechanism: 'SCRAM-SHA-256', ...harmedLogin } })

harmedAnswers('kafka', kafka, serve, (port) => ({
  brokers: [`127.0.0.1:${port}`],
  ...harmedLogin,
  mechanism: 'scram-sha-256' as const,
  topic: 'orders',
}))
