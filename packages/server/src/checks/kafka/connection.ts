// checks/kafka/connection.ts: the requests of Kafka's protocol that a check needs: which versions a broker speaks, the
// login, and what it knows about the cluster. Written by hand, in versions without tagged fields that brokers from 0.11
// to today share, because the client library opens its own sockets, past the network policy.
import { quote } from '../../platform/wording.ts'
import { Scram } from '../driver/scram.ts'
import { MAX_ANSWER_BYTES, type Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'
import { type Cluster, METADATA_VERSIONS, readCluster } from './cluster.ts'
import { bytes, int16, int32, WireReader, wireText, yes } from './wire.ts'

const keys = { metadata: 3, saslHandshake: 17, apiVersions: 18, saslAuthenticate: 36 } as const

export type Mechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

const hashes = { 'scram-sha-256': 'sha256', 'scram-sha-512': 'sha512' } as const

/** The versions that a broker speaks, by the key of the request. */
export type Versions = ReadonlyMap<number, readonly [min: number, max: number]>

export class KafkaConnection {
  readonly #session: Session
  #lastId = 0

  constructor(session: Session) {
    this.#session = session
  }

  async versions(): Promise<Versions> {
    this.#session.awaits('answer about its versions')
    return await this.#ask(keys.apiVersions, 0, [], (reader) => {
      if (reader.int16() !== 0) throw this.#session.speaksOtherThan('Kafka')
      return new Map(reader.list(() => [reader.int16(), [reader.int16(), reader.int16()]] as const))
    })
  }

  async logIn(mechanism: Mechanism, user: string, password: string): Promise<void> {
    this.#session.awaits('answer to the login')
    const error = await this.#ask(keys.saslHandshake, 1, [wireText(mechanism.toUpperCase())], (reader) =>
      reader.int16(),
    )
    if (error !== 0) throw new CheckFailure(`${this.#session.peer} takes no login by ${quote(mechanism)}`)
    if (mechanism === 'plain') {
      await this.#authenticate(`\0${user}\0${password}`)
      return
    }
    const scram = new Scram(hashes[mechanism], user, password)
    const proof = await scram.final(await this.#authenticate(scram.first()))
    if (proof === null) throw this.#session.speaksOtherThan(mechanism.toUpperCase())
    if (!scram.isProof(await this.#authenticate(proof)))
      throw new CheckFailure(`${this.#session.peer} did not prove that it knows the password`)
  }

  async cluster(versions: Versions, topic: string | undefined): Promise<Cluster> {
    this.#session.awaits('answer about the cluster')
    const [min, max] = versions.get(keys.metadata) ?? [0, -1]
    const version = Math.min(max, METADATA_VERSIONS.max)
    if (version < Math.max(min, METADATA_VERSIONS.min))
      throw new CheckFailure(
        `${this.#session.peer} speaks no version of Kafka's protocol that this check knows`,
      )
    // Requests no topics rather than all of them, and never creates a topic by asking for it.
    const fields = [
      int32(topic === undefined ? 0 : 1),
      ...(topic === undefined ? [] : [wireText(topic)]),
      yes(false),
    ]
    return await this.#ask(keys.metadata, version, fields, (reader) => readCluster(reader, version))
  }

  async #authenticate(message: string): Promise<string> {
    return await this.#ask(keys.saslAuthenticate, 0, [bytes(Buffer.from(message))], (reader) => {
      if (reader.int16() !== 0) throw this.#session.loginRefused()
      reader.text()
      return reader.text32()
    })
  }

  async #ask<Answer>(
    key: number,
    version: number,
    fields: readonly Buffer[],
    read: (reader: WireReader) => Answer,
  ): Promise<Answer> {
    const id = ++this.#lastId
    const request = Buffer.concat([int16(key), int16(version), int32(id), wireText('pulseward'), ...fields])
    this.#session.write(Buffer.concat([int32(request.length), request]))
    const size = (await this.#session.read(4)).readInt32BE(0)
    if (size < 4 || size > MAX_ANSWER_BYTES) throw this.#session.speaksOtherThan('Kafka')
    const answer = await this.#session.read(size)
    if (answer.readInt32BE(0) !== id) throw this.#session.speaksOtherThan('Kafka')
    try {
      return read(new WireReader(answer.subarray(4)))
    } catch (error) {
      // The answer ended before its fields did.
      throw error instanceof RangeError ? this.#session.speaksOtherThan('Kafka') : error
    }
  }
}
