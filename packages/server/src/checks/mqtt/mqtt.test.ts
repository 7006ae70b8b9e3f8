// What the contract does not ask of the mqtt check: answers that are almost right.
import { harmedAnswers, harmedLogin } from '@pulseward/testing/checks'
import { mqtt } from './mqtt.ts'
import { mqttStandIn } from './stand-in.fixture.ts'

harmedAnswers('mqtt', mqtt, mqttStandIn({ password: harmedLogin.password }), (port) => ({
  host: '127.0.0.1',
  port,
  ...harmedLogin,
  topic: 'probe',
}))
