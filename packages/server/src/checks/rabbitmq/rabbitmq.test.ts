// What the contract does not ask of the rabbitmq check: answers that are almost right.
import { harmedAnswers, harmedLogin } from '@pulseward/testing/checks'
import { rabbitmq } from './rabbitmq.ts'
import { amqpStandIn } from './stand-in.fixture.ts'

const queue = { name: 'orders', messages: 1, consumers: 1 }

harmedAnswers('rabbitmq', rabbitmq, amqpStandIn({ password: harmedLogin.password, queue }), (port) => ({
  url: `amqp://127.0.0.1:${port}`,
  ...harmedLogin,
  queue: queue.name,
}))
