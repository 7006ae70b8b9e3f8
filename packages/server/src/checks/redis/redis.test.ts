// What the contract does not ask of the redis check: answers that are almost right.
import { harmedAnswers, harmedLogin } from '@pulseward/testing/checks'
import { redis } from './redis.ts'
import { redisStandIn } from './stand-in.fixture.ts'

const { password } = harmedLogin
const serve = redisStandIn({ password, replies: { MGET: '*2\r\n$1\r\na\r\n:1\r\n' } })

harmedAnswers('redis', redis, serve, (port) => ({
  host: '127.0.0.1',
  port,
  password,
  command: ['MGET', 'a', 'b'],
}))
